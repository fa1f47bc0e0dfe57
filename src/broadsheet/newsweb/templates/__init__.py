"""What becomes of a page: HTML in one of three structures, or a document for machines."""
