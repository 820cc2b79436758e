"""Files that are whole or not there (`disk`), and values as exact JSON (`codec`)."""
