# >>> git-graph >>> checks what is pushed, where graph.check asks for it; git graph hooks uninstall removes this block
git_graph_pushed=$(cat)
(
    set +eu
    unset IFS
    git_graph_dir=${GIT_DIR:-.git}
    if [ -f "$git_graph_dir" ]; then read -r git_graph_word git_graph_dir <"$git_graph_dir"; fi
    git_graph_common=$git_graph_dir
    if [ -f "$git_graph_dir/commondir" ]; then
        read -r git_graph_common <"$git_graph_dir/commondir"
        case $git_graph_common in /* | ?:*) ;; *) git_graph_common=$git_graph_dir/$git_graph_common ;; esac
    fi
    if [ -f "$git_graph_common/graph/pre-push.sh" ]; then . "$git_graph_common/graph/pre-push.sh"; fi
    exit 0
) <<git_graph_end || exit 1
$git_graph_pushed
git_graph_end
if [ -z "$git_graph_pushed" ]; then exec </dev/null; else
    exec <<git_graph_end
$git_graph_pushed
git_graph_end
fi
# <<< git-graph <<<
