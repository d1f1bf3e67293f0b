"""Plain reference implementations that the tests compare the core with. Nothing here is fast or shared with the core."""
