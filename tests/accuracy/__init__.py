"""How true references are: `make accuracy` scores them against what language servers answered for real archives."""
