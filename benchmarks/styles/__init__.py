"""Agreement of our computed styles with Chromium's, and the time of both."""
