"""How a drill is asked for."""

from __future__ import annotations

from prowess_practice.drills.shape import Shape


def wordings(shape: Shape) -> tuple[str, ...]:
    """Some ways to ask for it."""
    inside = [shape.within.says] if shape.within else []
    of = " ".join([*inside, " and ".join(each.says for each in shape.conditions)]).rstrip()
    one, many, app = f"{shape.listing.one} {of}", f"{shape.listing.many} {of}", shape.listing.app
    called = shape.listing.called
    end = "" if shape.measure is None else shape.measure.most if shape.greatest else shape.measure.least
    if shape.kind == "count":
        return (
            f"How many {many} are there?",
            f"Count the {many} and tell me the number.",
            f"Look into the {app} app: I would like to know the number of {many}.",
            f"I wonder about the {many}. Is there one, are there a dozen? Give me the exact number.",
            f"Please go through the {app} app for me and find out how many {many} I have to reckon with.",
        )
    if shape.kind == "name":
        return (
            f"Which {many} are there? Answer with a list of the {called}s.",
            f"List the {called}s of all {many}.",
            f"I want the {called} of every {one}, as a list.",
            f"Please collect the {called}s of whatever {many} you can find, and answer with them as a list.",
            f"Somebody asked me about the {many}. What are their {called}s? A list will do.",
        )
    if shape.kind == "sort":
        return (
            f"List the {called}s of all {many} in order: first the one that {end}, and so on.",
            f"I want a list of the {called}s of the {many} that begins with the one that {end} and goes on like that.",
            f"Which {many} are there? Answer with a list of the {called}s, sorted, with the one that {end} first.",
            f"Rank the {many}, the one that {end} at the top, and give me their {called}s as a list in that order.",
        )
    if shape.by:
        return _most(shape, many)
    if shape.kind == "sum":
        adds = shape.measure.sum if shape.measure else ""
        return (
            f"What do the {adds} of the {many} add up to?",
            f"Add up the {adds} of all {many} and tell me the sum.",
            f"I need one number from the {app} app: the sum of the {adds} over all {many}.",
            f"Take the {many} together: how much is that, all {adds} added up?",
            f"For my records I want the total of the {adds}, counting just the {many}.",
        )
    if shape.kind == "extreme":
        return (
            f"Among the {many}, which one {end}? Answer with its {called}.",
            f"Tell me the {called} of the one that {end} among the {many}.",
            f"Look at the {many}: what is the {called} of the one that {end}?",
            f"I am thinking of one of the {many}, namely the one that {end}. Which {called} does it have?",
            f"Of all {many} only the one that {end} interests me. Please answer with the {called}.",
        )
    if shape.export:
        texts = (text.replace("CALLED", called) for text in shape.export.wordings)
        return tuple(text.replace("ONE", one).replace("MANY", many) for text in texts)
    assert shape.action
    verb, after = shape.action.verb, shape.action.after
    if shape.kind == "act":
        return (
            f"{verb.capitalize()} every {one}{after}.",
            f"Go through the {many} and {verb} each of them{after}.",
            f"In the {app} app, please {verb} all {many}{after}.",
            f"It is about the {many}. I would like you to {verb} them{after}, one by one, and to leave the rest alone.",
            f"Please tidy up in the {app} app for me: {verb} whatever {many} you come across{after}.",
        )
    return (
        f"Among the {many}, {verb} the one that {end}{after}.",
        f"Find the one that {end} among the {many} and {verb} it{after}.",
        f"There are {many}. Please {verb} the one of them that {end}{after}, and no other.",
        f"Please {verb} just one of the {many}{after}: the one that {end}.",
    )


def _most(shape: Shape, many: str) -> tuple[str, ...]:
    assert shape.by
    what, app = shape.by.what, shape.listing.app
    if shape.measure:
        adds = shape.measure.sum
        return (
            f"Add up the {adds} of the {many} by {what}: which {what} has the greatest sum?",
            f"For which {what} do the {adds} of all {many} add up to the most?",
            f"In the {app} app, take the {many}. Which {what} comes first if the {adds} are added up by {what}?",
            f"Group the {many} by {what}, add up the {adds} in each group, and name the {what} where that is the most.",
        )
    return (
        f"Which {what} occurs most often among the {many}?",
        f"Count the {many} by {what} and tell me the {what} with the most of them.",
        f"In the {app} app, look at the {many}: which {what} do most of them have?",
        f"There must be one {what} that is more frequent than any other among the {many}. Which?",
    )
