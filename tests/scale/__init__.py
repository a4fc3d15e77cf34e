"""Fleets and large repositories, made and measured: `make bench-scale`, `make soak`. Outside `make test`."""
