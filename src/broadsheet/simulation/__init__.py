"""Whole crawls of the invented news web: without sockets, or over HTTP as a demonstration, compared with the truth."""
