"""go.mod and go.work."""
