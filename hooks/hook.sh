# git-graph: has the code graph of this worktree brought up to date in the background.
#
# Copied into the common git directory when the hooks are installed, and sourced from there by the block in each hook or
# by a hook manager's command. Prints nothing, never fails, and starts nothing while a syncer is alive.

exec </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
set +eu
unset IFS

python=@PYTHON@
package=@PACKAGE@
if [ ! -x "$python" ] || [ ! -f "$package/sync/background.py" ]; then exit 0; fi # uninstalled since

if [ -z "${git_graph_common-}" ]; then
    git_graph_dir=$(git rev-parse --git-dir)
    git_graph_common=$(git rev-parse --git-common-dir)
fi
true >|"$git_graph_dir/graph-pending" || exit 0

pid=
read -r pid <"$git_graph_common/graph/syncer.lock"
case $pid in
'' | 0* | *[!0-9]*) ;;
*)
    if kill -0 "$pid"; then
        [ -r "/proc/$pid/cmdline" ] || exit 0
        # The id may have come to be another program's, or still be that of one that has ended.
        command=
        read -r command <"/proc/$pid/cmdline"
        case $command in *git_graph* | *git-graph*) exit 0 ;; esac
    fi
    ;;
esac

unset GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_OBJECT_DIRECTORY GIT_DIR \
    GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE \
    GIT_PREFIX GIT_INTERNAL_SUPER_PREFIX GIT_SHALLOW_FILE GIT_COMMON_DIR
worktree=$PWD
cd "$git_graph_common/graph" || exit 0
"$python" -P -m git_graph.sync.background "$worktree" &
echo "$!" >|syncer.lock
exit 0
