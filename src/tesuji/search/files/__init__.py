"""Graphs and tables of shared values as files."""
