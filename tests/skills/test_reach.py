"""Which APIs code can call, in every way of writing it that we know."""

from __future__ import annotations

import pytest

from prowess.skills.reach import Reach, reach_in

PAY = Reach(apis=("wallet.pay",))
ANYTHING = Reach(anything=True)


@pytest.mark.parametrize(
    "code",
    [
        "apis.wallet.pay()",
        "apis['wallet']['pay']()",
        "apis.wallet['pay']()",
        "getattr(apis.wallet, 'pay')()",
        "getattr(getattr(apis, 'wallet'), 'pay', None)()",
        "w = apis.wallet\nw.pay()",
        "w = apis['wallet']\nw['pay']()",
        "w: object = apis.wallet\nw.pay()",
        "(w := apis.wallet).pay()",
        "def f():\n    w.pay()\na = apis\nw = a.wallet",
        "def f():\n    w.pay()\nw = a.wallet\na = apis",
        "pages(apis.wallet.pay)",
        "for api in [apis.wallet.pay]: api()",
        "apis.wallet.pay()['x'].y",
    ],
)
def test_an_api_is_seen_however_it_is_written(code: str) -> None:
    assert reach_in(code) == PAY


@pytest.mark.parametrize(
    "code",
    [
        "apis[app][api]()",
        "apis.wallet[api]()",
        "getattr(apis.wallet, api)()",
        "w = apis.wallet\nw[api]()",
        "w = apis[app]\nw.pay()",
        "for app in (apis.wallet, apis.shop): app.pay()",
        "(apis.wallet if x else apis.shop).pay()",
        "attrgetter('wallet.pay')(apis)()",
        "apis.__getattribute__('wallet').pay()",
        "run(apis)",
        "run(apis.wallet)",
        "a = apis\nrun(a)",
        "lambda a=apis: a.wallet.pay()",
        "w, s = apis.wallet, apis.shop",
        "class A:\n    w = apis.wallet\nA.w.pay()",
        "class A:\n    if 1:\n        w = apis.wallet\nA.w.pay()",
        "apis.music._send('wallet', 'pay', {})",
        "apis._send('wallet', 'pay', {})",
        "getattr(apis.music, '_send')('wallet', 'pay', {})",
        "send = apis.music._send\nsend('wallet', 'pay', {})",
        *("; ".join(f"w = apis.app{n}" for n in range(9)) + "; w.pay()",),
    ],
)
def test_a_use_that_does_not_show_the_api_can_be_any(code: str) -> None:
    assert reach_in(code).anything


@pytest.mark.parametrize("code", ["getattr(apis, app).login()", "apis[app].login()", "apis[app]['login']()"])
def test_of_an_app_that_only_a_run_can_tell_the_apis_name_is_seen(code: str) -> None:
    assert reach_in(code) == Reach(hidden=("login",))


@pytest.mark.parametrize("code", ["x = 'apis.wallet.pay()'  # apis", "wallet.pay()", "getattr(x, 'apis')", "1 +"])
def test_what_does_not_use_the_apis_reaches_nothing(code: str) -> None:
    assert reach_in(code) == Reach()


def test_a_name_that_two_functions_give_to_two_apps_counts_as_both() -> None:
    code = "def f():\n    w = apis.wallet\n    w.pay()\ndef g():\n    w = apis.mail\n    w.show()"
    assert reach_in(code) == Reach(apis=("mail.pay", "mail.show", "wallet.pay", "wallet.show"))


def test_each_use_is_told_beside_the_others() -> None:
    code = "apis.music.play(apis['wallet'].pay(), getattr(apis, app).login(apis))"
    assert reach_in(code) == Reach(apis=("music.play", "wallet.pay"), hidden=("login",), anything=True)


def test_a_long_chain_of_aliases_in_reverse_may_reach_anything() -> None:
    chain = [f"a{at} = a{at + 1}" for at in range(30)]
    assert reach_in("\n".join([*chain, "a30 = apis.music", "a0.play()"])).anything
    forward = reach_in("\n".join(["a30 = apis.music", *reversed(chain), "a0.play()"]))
    assert (forward.apis, forward.anything) == (("music.play",), False)
