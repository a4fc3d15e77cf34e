"""One module a question: a function from a resolver and arguments to frozen values, which print nothing."""
