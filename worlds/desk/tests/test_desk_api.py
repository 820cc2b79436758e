"""An API from a function: which arguments it takes, in which words it refuses others, and how it is documented."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from household import Caller
from prowess_desk.engine.api import ApiError, App, Ctx, OneOf, Span, page

from prowess.types import Json

SHOP = App("shop", "Things to buy.")


@SHOP.api(returns={"order_id": 1}, login=False)
def order(
    ctx: Ctx,
    name: Annotated[str, "what to order"],
    count: Annotated[int, "how many", Span(1, 20)] = 1,
    price: Annotated[float, "at most this", Span(0, 1000)] = 0.0,
    size: Annotated[str, "size of it", OneOf(("small", "large"))] = "small",
    tags: Annotated[list[str] | None, "words for it"] = None,
    gift: bool = False,
) -> Json:
    """Order something."""
    return [name, count, price, size, [*(tags or [])], gift]


@SHOP.api(returns=["string"])
def list_(ctx: Ctx) -> Json:
    """List who ordered."""
    return [ctx.me.first]


def call(**arguments: Any) -> Any:
    caller = Caller(SHOP, [])
    return SHOP.apis["order"].call(caller.state, caller.session, arguments)


def test_what_an_argument_may_be_reaches_the_function() -> None:
    assert call(name="tea") == ["tea", 1, 0.0, "small", [], False]
    assert call(name="", count=20, price=3, size="large", tags=["a"], gift=True) == ["", 20, 3.0, "large", ["a"], True]
    assert type(call(name="tea", price=3)[2]) is float
    assert call(name="x" * 50_000, count=1, price=1000, tags=["a"] * 10_000)[1] == 1
    assert call(name="tea", tags=None)[4] == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({}, "name is required."),
        ({"name": "tea", "colour": "red"}, "shop.order has no parameter 'colour'. It takes: name, count, price, size"),
        ({"name": 3}, "name must be string, not 3."),
        ({"name": None}, "name must be string, not null."),
        ({"name": "x" * 50_001}, "name must not be longer than 50000 characters."),
        ({"name": "tea", "count": True}, "count must be integer, not true."),
        ({"name": "tea", "count": 2.0}, "count must be integer, not 2.0."),
        ({"name": "tea", "count": 0}, "count must be between 1 and 20, not 0."),
        ({"name": "tea", "count": 21}, "count must be between 1 and 20, not 21."),
        ({"name": "tea", "count": 2**63}, "count must be a number of ordinary size."),
        ({"name": "tea", "count": -(2**63)}, "count must be a number of ordinary size."),
        ({"name": "tea", "price": "3"}, 'price must be number, not \\"3\\".'),
        ({"name": "tea", "price": False}, "price must be number, not false."),
        ({"name": "tea", "price": 1000.5}, "price must be between 0 and 1000, not 1000.5."),
        ({"name": "tea", "size": "huge"}, 'size must be one of small, large, not \\"huge\\".'),
        ({"name": "tea", "gift": 1}, "gift must be boolean, not 1."),
        ({"name": "tea", "tags": "a"}, 'tags must be list of string or null, not \\"a\\".'),
        ({"name": "tea", "tags": ["a", 3]}, 'tags must be list of string or null, not [\\"a\\", 3].'),
        ({"name": "tea", "tags": ["a"] * 10_001}, "tags must not hold more than 10000 items."),
        ({"name": "tea", "tags": ["a", "x" * 50_001]}, "tags must not be longer than 50000 characters."),
    ],
)
def test_any_other_is_refused_in_plain_words(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(ApiError) as refusal:
        call(**arguments)
    assert refusal.value.code == 422
    assert str(refusal.value).startswith(f'Response status code is 422:\n{{"message": "{why}')


def test_who_calls_is_known_where_a_login_is_asked_for() -> None:
    caller = Caller(SHOP, [])
    assert [caller("list", token=token) for token in ("ada", "ben")] == [["Ada"], ["Ben"]]
    assert caller.refused("list", token="dan") == 401
    assert caller.refused("list", token=3) == 422


def test_the_documentation_says_what_is_checked() -> None:
    text = {"type": "string", "required": True, "description": "what to order", "name": "name"}
    optional = {"required": False}
    assert SHOP.apis["order"].doc == {
        "app_name": "shop",
        "api_name": "order",
        "description": "Order something.",
        "parameters": [
            text,
            {
                **optional,
                "name": "count",
                "type": "integer",
                "description": "how many",
                "default": 1,
                "constraints": ["value >= 1", "value <= 20"],
            },
            {
                **optional,
                "name": "price",
                "type": "number",
                "description": "at most this",
                "default": 0.0,
                "constraints": ["value >= 0", "value <= 1000"],
            },
            {
                **optional,
                "name": "size",
                "type": "string",
                "description": "size of it",
                "default": "small",
                "constraints": ["one of small, large"],
            },
            {
                **optional,
                "name": "tags",
                "type": "list of string or null",
                "description": "words for it",
                "default": None,
            },
            {**optional, "name": "gift", "type": "boolean", "description": "", "default": False},
        ],
        "response_schemas": {"success": {"order_id": 1}, "failure": {"message": "string"}},
    }
    assert [one["name"] for one in SHOP.apis["list"].doc["parameters"]] == ["access_token"]


def test_pages_follow_each_other_and_end() -> None:
    rows: list[Json] = [*range(5)]
    assert [page(rows, index, 2) for index in range(4)] == [[0, 1], [2, 3], [4], []]
