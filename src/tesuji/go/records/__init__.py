"""Games as files: SGF in any charset, read, written and judged move by move."""
