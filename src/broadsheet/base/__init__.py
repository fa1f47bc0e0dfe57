"""What all rooms share: clock, errors, caps, configuration, URL identity, counters and records."""
