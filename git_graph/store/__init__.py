"""Slices, manifests and views as git objects. Knows nothing of what slices say."""
