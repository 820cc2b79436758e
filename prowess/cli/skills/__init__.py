"""The commands `prowess skills ...`: the skill store for the people who look after it.

Files of commands are loaded for every help, and load little; `jobs` and `views` are loaded once a command is given.
"""
