"""How far our reading of styles agrees with Chromium's, and what each takes."""
