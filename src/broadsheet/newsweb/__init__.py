"""An invented news web whose truth is known: pages to show, to test and to measure on."""
