"""The budgets of the design, measured side by side with their floors in one run: `make bench`."""
