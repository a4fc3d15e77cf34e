"""The policy of the JavaScript family, where parameters say what a call has to give."""

from git_graph.languages.javascript.policy import JavaScriptPolicy


class TypeScriptPolicy(JavaScriptPolicy):
    """The answers of TypeScript."""

    written = JavaScriptPolicy.written._replace(requires=True)


POLICY = TypeScriptPolicy()
