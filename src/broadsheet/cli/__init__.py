"""The command line: one file a command, tables for people and JSON lines for programs."""
