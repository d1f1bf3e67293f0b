"""Parameters under trial: CLOP and other samplers, tuning runs, sweeps."""
