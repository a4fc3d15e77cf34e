"""Completion scripts: click's own for `git-graph`, and what makes git's completion ask us about `git graph`."""

from __future__ import annotations

from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")

_BASH = """
# git's completion calls this for `git graph`: ask as if it were `git-graph`
_git_graph() {
    local IFS=$'\\n' response completion type value start=${__git_cmd_idx:-1}
    response=$(env COMP_WORDS="git-graph${IFS}${COMP_WORDS[*]:start+1}" COMP_CWORD=$((COMP_CWORD-start)) \\
        _GIT_GRAPH_COMPLETE=bash_complete git-graph)
    COMPREPLY=()
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done
}
"""
_ZSH = """
# zsh's completion of git calls this for `git graph`: ask as if it were `git-graph`
_git-graph() {
    words[1]=git-graph
    _git_graph_completion "$@"
}
zstyle -g _git_graph_users ':completion:*:*:git:*' user-commands
zstyle ':completion:*:*:git:*' user-commands $_git_graph_users graph:'who defines, refers to and depends on what'
"""
_FISH = """
# the same for `git graph`
function _git_graph_as_git;
    set -l words (commandline -opc);
    set -l at (contains -i -- graph $words);
    set -l rest $words[(math $at + 1)..-1];
    set -l present (commandline -ct);
    set -l line (string join -- " " git-graph (string escape -- $rest) $present);
    set -l response (env _GIT_GRAPH_COMPLETE=fish_complete COMP_WORDS=$line COMP_CWORD=$present git-graph);
    for completion in $response;
        set -l metadata (string split -m 1 "," $completion);
        switch $metadata[1];
            case dir; __fish_complete_directories $metadata[2];
            case file; __fish_complete_path $metadata[2];
            case plain; echo $metadata[2];
        end;
    end;
end;

complete --command git -n "__fish_seen_subcommand_from graph" --no-files --arguments "(_git_graph_as_git)";
complete --command git -n "__fish_use_subcommand" --arguments graph --description "who depends on what";
"""
_FOR_GIT = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def script(shell: str) -> str:
    """The completion script for a shell."""
    from git_graph.cli.app import cli
    from git_graph.cli.main import COMPLETE

    kind = get_completion_class(shell)
    assert kind is not None
    completer = kind(cli, {}, "git-graph", COMPLETE)
    return kind.source_template % completer.source_vars() + _FOR_GIT[shell]
