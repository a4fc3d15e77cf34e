"""tsconfig*.json and jsconfig.json."""
