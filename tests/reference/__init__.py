"""Plain reference implementations that the tests compare the core with. They share no code with it and are slow."""
