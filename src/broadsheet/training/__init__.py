"""From labelled data to the models that Broadsheet ships with: reproducible, to the byte."""
