"""How like real sites the planned sites of the news web are."""
