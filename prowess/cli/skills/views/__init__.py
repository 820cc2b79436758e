"""What the commands show to a person: tables and pages in a terminal, and the review."""
