"""Measure when a source passes from exploration to exploitation, and whether what it follows then are sections.

    python -m benchmarks.phase_switch [--number N] [--seed N]                                  sites of the news web
    python -m benchmarks.phase_switch --snapshots DIR --pages DIR --held-out DIR               saved real sites
                                      [--sites SITE …] [--switch NAME] [--most N] [--json FILE]

The newsroom crawls each site in virtual time, hour by hour, until it switches or has come `--most` times. The pages
that it follows at that moment are compared with golden labels, or with what they are on the news web. With `--json`,
the figures of each site are kept in the file, and the same command goes on where it was stopped.
"""
