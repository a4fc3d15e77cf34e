"""The source archives that are scored: where each comes from, by version, and what its server is told.

An archive is fetched by its registry's ordinary client and becomes a repository of one commit. `seen` archives are
those whose errors were looked at while rules were written; the others were chosen before they were scored, and their
errors are not looked at.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tests.benchmarks.corpus import commit_all

CACHE = Path(os.environ.get("ACCURACY_CACHE", Path(__file__).parents[2] / "build/accuracy")).resolve()
"""Archives and the repositories made of them; all of it can be deleted."""

TSCONFIG = {
    "compilerOptions": {
        "target": "esnext", "module": "esnext", "moduleResolution": "bundler", "jsx": "react-jsx", "strict": True,
        "skipLibCheck": True, "noEmit": True, "experimentalDecorators": True, "esModuleInterop": True,
        "resolveJsonModule": True, "allowImportingTsExtensions": True,
    },
    "include": ["src"],
}  # fmt: skip
"""Of a package that ships its sources without the project file they were compiled with."""


@dataclass(frozen=True)
class Corpus:
    """One archive. `keep` names the files and folders that are taken from it; empty: all of it."""

    language: str
    name: str
    version: str
    registry: str
    seen: bool = True
    package: str = ""
    """Its name in the registry, if that is another one."""
    keep: tuple[str, ...] = ()
    import_path: str = ""
    """Go: the path that its own packages are imported by."""
    cmake: tuple[str, ...] = ()
    """C, C++: options that its build is configured with."""
    flags: tuple[str, ...] = ()
    """C, C++: what translation units that the build leaves out are compiled with, relative to its root."""
    tsconfig: dict[str, object] = field(default_factory=dict, hash=False)

    @property
    def label(self) -> str:
        """Unique, and the name of the file that holds its truth."""
        return f"{self.language}-{self.name}-{self.version}"

    @property
    def root(self) -> Path:
        """Where its repository is, once fetched."""
        return CACHE / self.label / (f"src/{self.import_path}" if self.import_path else self.name)


def _typescript(
    name: str, version: str, package: str = "", *, seen: bool = True, paths: dict[str, list[str]] | None = None
) -> Corpus:
    """A package whose sources are in `src`, imported there by path, by what `paths` says, or by its name.

    What an archive's own `exports` name is built, and not in it: without `paths` the server would find nothing there.
    """
    own = package or name
    paths = {own: ["src/index.ts"], f"{own}/*": ["src/*", "src/*/index.ts"], **(paths or {})}
    options = {**TSCONFIG["compilerOptions"], "baseUrl": ".", "paths": paths}  # type: ignore[dict-item]
    tsconfig = {**TSCONFIG, "compilerOptions": options}
    return Corpus("typescript", name, version, "npm", seen, package, ("src", "package.json"), tsconfig=tsconfig)


CORPORA = (
    Corpus("python", "flask", "3.1.0", "pypi"),
    Corpus("python", "requests", "2.32.3", "pypi"),
    Corpus("python", "rich", "13.9.4", "pypi"),
    Corpus("python", "celery", "5.4.0", "pypi"),
    Corpus("python", "attrs", "25.3.0", "pypi"),
    Corpus("python", "httpx", "0.28.1", "pypi"),
    Corpus("python", "click", "8.1.8", "pypi", seen=False),
    Corpus("python", "jinja2", "3.1.4", "pypi", seen=False),
    _typescript("query-core", "5.108.4", "@tanstack/query-core"),
    _typescript("toolkit", "2.15.0", "@reduxjs/toolkit"),
    _typescript("mobx", "6.16.1"),
    _typescript("blueprint", "5.19.1", "@blueprintjs/core"),
    _typescript("rxjs", "7.8.2"),
    _typescript("zod", "4.6.7"),
    _typescript("xterm", "6.0.0", "@xterm/xterm", seen=False, paths={
        "browser/*": ["src/browser/*"], "common/*": ["src/common/*"], "vs/*": ["src/vs/*"],
    }),
    _typescript("trpc", "11.25.2", "@trpc/server", seen=False),
    Corpus("go", "cobra", "1.6.1-1", "debian", package="golang-github-spf13-cobra",
           import_path="github.com/spf13/cobra"),
    Corpus("go", "fzf", "0.38.0-1", "debian", import_path="github.com/junegunn/fzf"),
    Corpus("go", "logrus", "1.9.0-1", "debian", package="golang-logrus", import_path="github.com/sirupsen/logrus"),
    Corpus("go", "urfave-cli", "2.3.0-2", "debian", package="golang-github-urfave-cli-v2",
           import_path="github.com/urfave/cli/v2"),
    Corpus("go", "mux", "1.8.0-1", "debian", False, "golang-github-gorilla-mux", import_path="github.com/gorilla/mux"),
    Corpus("go", "pflag", "1.0.6~git20210604-d5e0c0615ace-1", "debian", False, "golang-github-spf13-pflag",
           import_path="github.com/spf13/pflag"),
    Corpus("c", "zlib", "1.2.13.dfsg-1", "debian", package="zlib", flags=("-I.", "-std=gnu11")),
    Corpus("c", "libuv", "1.44.2-1+deb12u1", "debian", package="libuv1",
           flags=("-Iinclude", "-Isrc", "-std=gnu11", "-D_GNU_SOURCE")),
    Corpus("c", "libevent", "2.1.12-stable-8", "debian", cmake=("-DEVENT__DISABLE_OPENSSL=ON",),
           flags=("-I.", "-Iinclude", "-std=gnu11")),
    Corpus("c", "jansson", "2.14-2", "debian", flags=("-Isrc", "-std=gnu11")),
    Corpus("c", "c-ares", "1.18.1-3", "debian", flags=("-Iinclude", "-Isrc/lib", "-std=gnu11", "-D_GNU_SOURCE")),
    Corpus("c", "libyaml", "0.2.5-1", "debian", flags=("-Iinclude", "-Isrc", "-std=gnu11", "-DHAVE_CONFIG_H")),
    Corpus("c", "json-c", "0.16-2", "debian", flags=("-I.", "-std=gnu11", "-D_GNU_SOURCE")),
    Corpus("c", "hiredis", "0.14.1-3", "debian", flags=("-I.", "-std=gnu11")),
    Corpus("c", "nghttp2", "1.52.0-1+deb12u3", "debian", cmake=("-DENABLE_LIB_ONLY=ON",),
           flags=("-Ilib", "-Ilib/includes", "-Itests", "-std=gnu11", "-D_GNU_SOURCE")),
    Corpus("c", "libssh2", "1.10.0-3", "debian",
           flags=("-Iinclude", "-Isrc", "-std=gnu11", "-D_GNU_SOURCE", "-DLIBSSH2_OPENSSL", "-DHAVE_CONFIG_H")),
    Corpus("c", "cjson", "1.7.15-1+deb12u4", "debian", flags=("-I.", "-Itests", "-std=gnu11")),
    Corpus("c", "libarchive", "3.6.2-1+deb12u4", "debian",
           flags=("-Ilibarchive", "-Ilibarchive_fe", "-std=gnu11", "-D_GNU_SOURCE", "-DHAVE_CONFIG_H")),
    Corpus("c", "lz4", "1.9.4-1", "debian", flags=("-Ilib", "-Iprograms", "-std=gnu11", "-D_GNU_SOURCE")),
    Corpus("c", "cmocka", "1.1.5-2.1", "debian",
           flags=("-Iinclude", "-std=gnu11", "-D_GNU_SOURCE", "-DHAVE_CONFIG_H")),
    Corpus("c", "expat", "2.5.0-1+deb12u2", "debian", False, flags=("-Ilib", "-std=gnu11", "-D_GNU_SOURCE")),
    Corpus("c", "uriparser", "0.9.7+dfsg-2", "debian", False, flags=("-Iinclude", "-Isrc", "-std=gnu11")),
    Corpus("cpp", "leveldb", "1.23-4", "debian", cmake=("-DLEVELDB_BUILD_TESTS=OFF", "-DLEVELDB_BUILD_BENCHMARKS=OFF"),
           flags=("-I.", "-Iinclude", "-std=c++17", "-DLEVELDB_PLATFORM_POSIX=1", "-DHAVE_FDATASYNC=1")),
    Corpus("cpp", "fmt", "9.1.0+ds1-2", "debian", package="fmtlib", cmake=("-DFMT_TEST=OFF",),
           flags=("-Iinclude", "-Itest", "-std=c++17")),
    Corpus("cpp", "re2", "20220601+dfsg-1", "debian", cmake=("-DRE2_BUILD_TESTING=OFF",),
           flags=("-I.", "-std=c++17")),
    Corpus("cpp", "yaml-cpp", "0.7.0+dfsg-8", "debian", cmake=("-DYAML_CPP_BUILD_TESTS=OFF",),
           flags=("-Iinclude", "-Isrc", "-Itest", "-std=c++17")),
    Corpus("cpp", "jsoncpp", "1.9.5-4", "debian", package="libjsoncpp", cmake=("-DJSONCPP_WITH_TESTS=ON",),
           flags=("-Iinclude", "-std=c++17")),
    Corpus("cpp", "tinyxml2", "9.0.0+dfsg-3.1", "debian", flags=("-I.", "-std=c++17")),
    Corpus("cpp", "benchmark", "1.7.1-1", "debian", False, cmake=("-DBENCHMARK_ENABLE_GTEST_TESTS=OFF",),
           flags=("-Iinclude", "-Isrc", "-std=c++17", "-DHAVE_POSIX_REGEX")),
    Corpus("cpp", "gflags", "2.2.2-2", "debian", False, cmake=("-DGFLAGS_BUILD_TESTING=ON",),
           flags=("-Isrc", "-std=c++17")),
)  # fmt: skip


class Unavailable(Exception):
    """An archive could not be fetched."""


def fetch(corpus: Corpus) -> Path:
    """The root of a corpus's repository, made if it is not there yet. Raises Unavailable."""
    root = corpus.root
    if (root / ".git").is_dir():
        return root
    archives = CACHE / "archives" / corpus.label
    archive = next(_archives(archives), None)
    if archive is None:
        archives.mkdir(parents=True, exist_ok=True)
        _REGISTRIES[corpus.registry](corpus, archives)
        archive = next(_archives(archives), None)
        if archive is None:
            raise Unavailable(f"{corpus.label}: the registry gave no source archive")
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    _unpack(archive, root, corpus.keep)
    if corpus.tsconfig:
        (root / "tsconfig.json").write_text(json.dumps(corpus.tsconfig))
    return commit_all(root)


def _archives(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.glob("*")) if (".tar." in file.name and ".debian.tar." not in file.name)
            or file.suffix == ".tgz")  # fmt: skip


def _unpack(archive: Path, root: Path, keep: tuple[str, ...]) -> None:
    """What is below the one folder of an archive, or what is kept of it."""
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = PurePosixPath(member.name).parts[1:]
            if parts and (not keep or parts[0] in keep) and (member.isfile() or member.isdir()):
                tar.extract(member.replace(name="/".join(parts), deep=False), root, filter="data")


def _run(corpus: Corpus, folder: Path, *command: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError as error:
        raise Unavailable(f"{corpus.label}: there is no {command[0]} here") from error
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["failed"])[-1]
        raise Unavailable(f"{corpus.label}: {command[0]}: {said}")


def _pypi(corpus: Corpus, folder: Path) -> None:
    _run(corpus, folder, sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
         "--dest", ".", f"{corpus.package or corpus.name}=={corpus.version}")  # fmt: skip


def _npm(corpus: Corpus, folder: Path) -> None:
    _run(corpus, folder, "npm", "pack", "--silent", f"{corpus.package or corpus.name}@{corpus.version}")


def _debian(corpus: Corpus, folder: Path) -> None:
    package = f"{corpus.package or corpus.name}"
    try:
        _run(corpus, folder, "apt-get", "source", "--download-only", f"{package}={corpus.version}")
    except Unavailable:  # the version with an epoch, or another revision of the same sources
        _run(corpus, folder, "apt-get", "source", "--download-only", package)
        upstream = corpus.version.rpartition("-")[0]
        if not any(f"_{upstream}.orig" in file.name for file in folder.iterdir()):
            raise Unavailable(f"{corpus.label}: this Debian has another version of {package}") from None


_REGISTRIES: dict[str, Callable[[Corpus, Path], None]] = {"pypi": _pypi, "npm": _npm, "debian": _debian}
