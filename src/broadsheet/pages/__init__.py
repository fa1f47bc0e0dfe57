"""What one page is: said of its address and the link to it, or of the page itself."""
