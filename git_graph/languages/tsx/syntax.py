"""TypeScript's walk: the grammar has JSX as well, the handlers are all there."""

from git_graph.languages.typescript.syntax import Syntax as TypeScript


class Syntax(TypeScript):
    """TSX's walk: a class of its own, since its grammar has ids of its own."""
