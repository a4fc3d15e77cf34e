"""`python -m git_graph`: the same as `git-graph`."""

from git_graph.cli.main import main

main()
