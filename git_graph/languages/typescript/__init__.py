"""TypeScript: JavaScript's walk, and types."""
