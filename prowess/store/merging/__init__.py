"""Two skills that do nearly the same become one: found in pairs, generalised, tried, merged."""
