"""The only room that runs git or imports pygit2: repositories, worktrees, objects, packs, refs."""
