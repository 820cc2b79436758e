"""The commands `opensage skills ...`: the skill store for the people who look after it."""
