"""The durable skill library: `record` and `life` are its values, `db` keeps them in one SQLite file."""
