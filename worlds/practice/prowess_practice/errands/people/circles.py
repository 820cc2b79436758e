"""What the people become: a group, members of one, sharers of an expense."""

from __future__ import annotations

from prowess_practice.errands.people.money import MY_SPLITS
from prowess_practice.errands.people.plan import Outcome
from prowess_practice.errands.people.slots import COST, NEW_GROUP, OWN_GROUP, REASON

_GROUP = (
    "    own_groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=own_group)\n"
    '    target = next(one for one in own_groups if one["name"] == own_group)\n'
    '    inside = {member["email"] for member in target["members"]}\n'
)

CIRCLES = (
    Outcome(
        word="make_group_of",
        apps=("splits",),
        needs=("email",),
        after="    apis.splits.create_group(access_token=splits_token, name=new_group, member_emails=<emails>)\n",
        about="Create a group of PEOPLE; return how many.",
        wordings=(
            'On splits, create a group named "{new_group}" of me and ALL.LEFT',
            'INTRO Then make a new splits group "{new_group}" of me and REF.LEFT',
            'I want a splits group called "{new_group}". Its members are WHO, and of course me.LEFT',
        ),
        slots=(NEW_GROUP,),
        single=False,
    ),
    Outcome(
        word="let_join",
        apps=("splits",),
        needs=("email",),
        before=_GROUP,
        each=(
            "if <email> not in inside:",
            '    apis.splits.add_member(access_token=splits_token, group_id=target["group_id"], email=<email>)',
        ),
        about="Add PEOPLE to a group unless they are in it; return how many were found.",
        wordings=(
            'To my splits group "{own_group}", add WHO, except those who are in it already.LEFT',
            'INTRO REF should be in my splits group "{own_group}": add whoever is missing there.LEFT',
            'It is about ALL. My splits group "{own_group}" is to have them as members: add them, unless they are.LEFT',
        ),
        slots=(OWN_GROUP,),
    ),
    Outcome(
        word="share_cost_with",
        apps=("splits",),
        needs=("email",),
        before=MY_SPLITS,
        after=(
            "    sharers = [my_email, *<emails>]\n"
            "    apis.splits.add_expense("
            "access_token=splits_token, description=reason, amount=cost, participant_emails=sharers)\n"
        ),
        about="Record an expense shared with PEOPLE; return how many.",
        wordings=(
            'Record on splits, outside any group, that I paid {cost} dollars for "{reason}", shared equally by me and'
            " ALL.LEFT",
            'INTRO Then add an expense to splits, outside any group: "{reason}", {cost} dollars, paid by me,'
            " split equally"
            " between me and REF.LEFT",
            'I laid out {cost} dollars for "{reason}". Put that on splits without a group, in equal shares for me and'
            " WHO.LEFT",
        ),
        slots=(COST, REASON),
        single=False,
    ),
)
