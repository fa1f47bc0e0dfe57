"""The command line: one module per command, tables for people and JSON lines for programs."""
