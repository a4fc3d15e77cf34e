"""The commands, one module a section; each parses, makes one call, and shows what comes of it."""
