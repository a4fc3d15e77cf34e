"""JavaScript with JSX; what TypeScript has in common with it."""
