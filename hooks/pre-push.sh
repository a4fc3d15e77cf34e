# git-graph: checks what is about to be pushed, where graph.check asks for it.
#
# Copied into the common git directory when the hooks are installed, and sourced from there with the hook's arguments and
# standard input. Ends with status 1 if the push is to be stopped; a fault of ours stops nobody, unless graph.check is
# strict.

set +eu
git_graph_check=$(git config --get graph.check) || exit 0
case $git_graph_check in [Nn][Oo] | [Ff][Aa][Ll][Ss][Ee] | [Oo][Ff][Ff] | 0) exit 0 ;; esac

python=@PYTHON@
package=@PACKAGE@
git_graph_status=128
if [ -x "$python" ] && [ -f "$package/cli/main.py" ]; then
    "$python" -P -m git_graph check --pre-push "${1:-origin}" >&2
    git_graph_status=$?
else
    echo "git-graph: the push was not checked: git-graph is not where it was; git graph hooks install mends it" >&2
fi
case $git_graph_status in 0 | 1) exit "$git_graph_status" ;; esac
[ "$git_graph_check" != strict ] || exit 1
exit 0
