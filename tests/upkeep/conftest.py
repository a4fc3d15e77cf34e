from graphs import graph, graph_of

__all__ = ["graph", "graph_of"]
