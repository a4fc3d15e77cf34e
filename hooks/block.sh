# >>> git-graph >>> keeps the code graph fresh; git graph hooks uninstall removes this block
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
    if [ -f "$git_graph_common/graph/hook.sh" ]; then . "$git_graph_common/graph/hook.sh"; fi
) </dev/null >/dev/null 2>&1 || :
# <<< git-graph <<<
