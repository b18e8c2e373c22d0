"""Running forward passes: choice of backend, self-test, timing."""
