"""Names that JavaScript, TypeScript, browsers and Node give to every file."""

from __future__ import annotations

_LANGUAGE = """
Array ArrayBuffer AggregateError Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
FinalizationRegistry Float32Array Float64Array Function Generator GeneratorFunction Infinity Int16Array Int32Array
Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray
WeakMap WeakRef WeakSet arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis
isFinite isNaN parseFloat parseInt undefined unescape
"""
_TYPES = """
any unknown never void null string number boolean object symbol bigint this ArrayLike AsyncGenerator AsyncIterable
AsyncIterableIterator AsyncIterator Awaited Capitalize ClassDecorator ConcatArray ConstructorParameters Exclude
Extract InstanceType Iterable IterableIterator IteratorResult Lowercase MethodDecorator NoInfer NonNullable Omit
OmitThisParameter ParameterDecorator Parameters Partial Pick PromiseConstructor PromiseLike PromiseSettledResult
PropertyDecorator PropertyDescriptor PropertyKey ReadonlyArray ReadonlyMap ReadonlySet Readonly Record Required
ReturnType TemplateStringsArray ThisParameterType ThisType TypedPropertyDescriptor Uncapitalize Uppercase
ArrayBufferLike ArrayBufferView ErrorOptions FunctionConstructor ObjectConstructor Tuple
"""
_HOSTS = """
AbortController AbortSignal Blob BroadcastChannel Buffer BufferEncoding CSSStyleDeclaration CanvasRenderingContext2D
ClipboardEvent CloseEvent CompressionStream CountQueuingStrategy Crypto CryptoKey CustomEvent DOMException DOMParser
DOMRect DataTransfer DecompressionStream Document DocumentFragment DragEvent Element ErrorEvent Event EventListener
EventListenerOrEventListenerObject EventSource EventTarget File FileList FileReader FocusEvent FormData
HTMLAnchorElement HTMLButtonElement HTMLCanvasElement HTMLCollection HTMLDivElement HTMLElement HTMLElementTagNameMap
HTMLFormElement HTMLHeadingElement HTMLIFrameElement HTMLImageElement HTMLInputElement HTMLLIElement HTMLLabelElement
HTMLMediaElement HTMLOListElement HTMLOptionElement HTMLParagraphElement HTMLSelectElement HTMLSpanElement
HTMLTableElement HTMLTextAreaElement HTMLUListElement HTMLVideoElement Headers HeadersInit IDBDatabase Image ImageData
InputEvent IntersectionObserver JSX KeyboardEvent Location MediaQueryList MessageChannel MessageEvent MessagePort
MouseEvent MutationObserver MutationRecord Navigator Node NodeFilter NodeJS NodeList NodeListOf Notification
Performance PerformanceObserver PointerEvent PopStateEvent ProgressEvent PromiseRejectionEvent Range ReadableStream
ReadableStreamDefaultReader Request RequestInfo RequestInit ResizeObserver ResizeObserverEntry Response ResponseInit
SVGElement SVGSVGElement Selection ServiceWorker ShadowRoot SharedWorker Storage StorageEvent SubmitEvent SubtleCrypto
Text TextDecoder TextEncoder Timeout Touch TouchEvent TransformStream TransitionEvent UIEvent URL URLSearchParams
WebAssembly WebSocket WheelEvent Window Worker WritableStream XMLHttpRequest XMLSerializer __dirname __filename
addEventListener alert atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm console crypto
customElements document exports fetch frames getComputedStyle getSelection history indexedDB innerHeight innerWidth
localStorage location matchMedia module navigator performance postMessage process prompt queueMicrotask
removeEventListener requestAnimationFrame requestIdleCallback require self sessionStorage setImmediate setInterval
setTimeout structuredClone window global
"""
_TESTS = """
afterAll afterEach beforeAll beforeEach describe expect it jest suite test vi after before RefObject Signal
"""

NAMES = frozenset((_LANGUAGE + _TYPES + _HOSTS + _TESTS).split())
