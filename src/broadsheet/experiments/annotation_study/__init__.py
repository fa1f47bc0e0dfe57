"""What annotated pages are worth: fine-tuning on a few pages of a site or kind, and which pages to annotate."""
