"""The commands as tools of the Model Context Protocol, over standard input and output.

A tool is a command and a call is a process of its own (docs/adr/0009): nothing of one call, nor of one worktree, is
left when the next one comes. `tools` says what there is, `places` which directory a call is about,
`answers` what becomes of what a command printed, `server` speaks the protocol.
"""
