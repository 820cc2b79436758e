"""The shop through its APIs: catalogue, reviews, cart, wish list, orders and returns."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
from household import answer
from prowess_desk.apps.shop import (
    CartItem,
    Line,
    Order,
    Product,
    Return,
    Review,
    ShopCard,
    WishItem,
    order_cart,
    put_in_cart,
    shop,
)
from prowess_desk.data.shop import generate
from prowess_desk.engine.api import ApiError, Session
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import Person, people
from prowess_desk.engine.tables import Base, State

NOW = datetime(2025, 5, 18, 12)
ADA, BEN = people(1)[:2]


def product(id: int, name: str, price: int, rating: float = 4.0, category: str = "toys") -> Product:
    return Product(
        id=id, name=name, category=category, price=price, rating=rating, stock=5, seller="Urban Nest", delivery_days=id
    )


def order(id: int, status: str, owner: int = ADA.id) -> Order:
    return Order(
        id=id,
        owner=owner,
        lines=(Line(product_id=1, quantity=2, price=1050), Line(product_id=2, quantity=1, price=300)),
        card_id=1,
        address="1 Elm Street",
        status=status,
        tracking="" if status == "placed" else "TRK-1",
        placed_at=datetime(2025, 5, id - 1000, 9),
        expected=date(2025, 5, 20),
    )


class Desk:
    """A small shop in which Ada and Ben are logged in."""

    def __init__(self) -> None:
        kites = [product(n, f"Kite {n}", 1000 * n, rating=n / 2) for n in range(3, 10)]
        wallet = {"number": "4000000000001234", "owner": ADA.id}
        self.state = State.over(
            [
                Base(Person, (ADA, BEN)),
                Base(
                    Product, [product(1, "Lumora Tent", 1050, category="camping"), product(2, "Toy Train", 300), *kites]
                ),
                Base(Review),
                Base(CartItem),
                Base(WishItem),
                Base(
                    ShopCard,
                    [
                        ShopCard(id=1, name="Debit", expires=date(2027, 1, 31), **wallet),
                        ShopCard(id=2, name="Old", expires=date(2025, 4, 30), **wallet),
                    ],
                ),
                Base(Order, [order(1001, "delivered"), order(1002, "placed"), order(1003, "shipped", owner=BEN.id)]),
                Base(Return),
            ],
            NOW,
        )
        self.session = Session(supervisor=ADA, instruction="", universe=1, seed=1)
        self.session.tokens = {("shop", "ada"): ADA.id, ("shop", "ben"): BEN.id}

    def __call__(self, api: str, *, token: str = "ada", **arguments: Any) -> Any:
        return answer(shop.apis[api], self.state, self.session, access_token=token, **arguments)

    def refused(self, api: str, **arguments: Any) -> int:
        with pytest.raises(ApiError) as refusal:
            self(api, **arguments)
        return refusal.value.code


@pytest.fixture
def desk() -> Desk:
    return Desk()


def names(found: list[Any]) -> list[str]:
    return [one["name"] for one in found]


def test_a_search_filters_sorts_and_pages(desk: Desk) -> None:
    assert names(desk("search_products", query="TENT lumora")) == ["Lumora Tent"]
    assert names(desk("search_products", category="camping")) == ["Lumora Tent"]
    assert names(desk("search_products", max_price=30.0, query="kite")) == ["Kite 3"]
    assert names(desk("search_products", min_rating=4.0, query="kite", sort_by="-price")) == ["Kite 9", "Kite 8"]
    assert names(desk("search_products", query="kite")) == [f"Kite {n}" for n in range(3, 8)]
    assert names(desk("search_products", query="kite", page_index=1)) == ["Kite 8", "Kite 9"]
    assert desk("show_product", product_id=1)["price"] == 10.5
    assert desk.refused("search_products", category="cars") == 422
    assert desk.refused("search_products", page_limit=21) == 422
    assert desk.refused("show_product", product_id=99) == 404


def test_only_who_is_logged_in_may_look(desk: Desk) -> None:
    assert desk.refused("show_cart", token="nobody") == 401


def test_one_review_per_product_that_only_its_author_changes(desk: Desk) -> None:
    made = desk("write_review", product_id=1, stars=4, text="Dry inside.")["review_id"]
    assert desk.refused("write_review", product_id=1, stars=5) == 409
    assert desk.refused("update_review", token="ben", review_id=made, stars=1) == 404
    desk("update_review", review_id=made, stars=2)
    [shown] = desk("list_product_reviews", token="ben", product_id=1)
    assert (shown["stars"], shown["text"], shown["author"]["email"]) == (2, "Dry inside.", ADA.email)
    assert desk("list_my_reviews", token="ben") == []
    desk("delete_review", review_id=made)
    assert desk("list_my_reviews") == []


def test_a_cart_counts_up_to_the_stock(desk: Desk) -> None:
    desk("add_to_cart", product_id=1, quantity=2)
    desk("add_to_cart", product_id=1)
    desk("add_to_cart", product_id=2)
    assert desk("show_cart")["total"] == 34.5
    assert [item["quantity"] for item in desk("show_cart")["items"]] == [3, 1]
    assert desk.refused("add_to_cart", product_id=1, quantity=3) == 409
    desk("update_cart_quantity", product_id=1, quantity=5)
    desk("remove_from_cart", product_id=2)
    assert desk("show_cart") == {
        "items": [{"product_id": 1, "name": "Lumora Tent", "quantity": 5, "price": 10.5}],
        "total": 52.5,
    }
    assert desk.refused("update_cart_quantity", product_id=2, quantity=1) == 404
    assert desk("show_cart", token="ben")["items"] == []
    desk("clear_cart")
    assert desk("show_cart")["items"] == []


def test_a_wish_list_holds_a_product_once(desk: Desk) -> None:
    desk("add_to_wish_list", product_id=2)
    assert desk.refused("add_to_wish_list", product_id=2) == 409
    assert names(desk("show_wish_list")) == ["Toy Train"]
    desk("remove_from_wish_list", product_id=2)
    assert desk.refused("remove_from_wish_list", product_id=2) == 404


def test_an_order_takes_the_cart_and_a_card_that_works(desk: Desk) -> None:
    assert desk.refused("place_order", payment_card_id=1) == 409
    desk("add_to_cart", product_id=2, quantity=3)
    assert desk.refused("place_order", payment_card_id=2) == 409
    assert desk.refused("place_order", token="ben", payment_card_id=1) == 404
    placed = desk("place_order", payment_card_id=1)
    assert placed["order_id"] == 1004 and placed["total"] == 9.0
    shown = desk("show_order", order_id=1004)
    assert shown["address"] == f"{ADA.address}, {ADA.city}" and shown["expected_delivery"] == "2025-05-20"
    assert desk("show_cart")["items"] == []


def test_the_order_of_filling_the_cart_does_not_matter_to_grading() -> None:
    start = Desk().state
    ends = []
    for products in ((1, 2), (2, 1)):
        end = start.fork()
        for id in products:
            put_in_cart(end, ADA.id, id)
        order_cart(end, ADA.id, 1)
        ends.append(changes(start, end))
    assert ends[0] == ends[1] != {}


def test_orders_are_listed_newest_first_and_only_ones_own(desk: Desk) -> None:
    assert [one["order_id"] for one in desk("list_orders")] == [1002, 1001]
    assert [one["order_id"] for one in desk("list_orders", status="delivered", query="tent")] == [1001]
    assert desk("list_orders")[0]["total"] == 24.0
    assert desk.refused("show_order", order_id=1003) == 404


def test_only_what_has_not_shipped_is_cancelled_and_only_what_has_is_tracked(desk: Desk) -> None:
    assert desk.refused("cancel_order", order_id=1001) == 409
    assert desk.refused("track_order", order_id=1002) == 409
    desk("cancel_order", order_id=1002)
    assert desk("show_order", order_id=1002)["status"] == "cancelled"
    assert desk("track_order", token="ben", order_id=1003)["tracking_number"] == "TRK-1"


def test_an_order_is_returned_when_all_of_it_goes_back(desk: Desk) -> None:
    assert desk.refused("return_item", order_id=1002, product_id=1) == 409
    assert desk.refused("return_item", order_id=1001, product_id=3) == 404
    desk("return_item", order_id=1001, product_id=1, reason="damaged")
    assert desk.refused("return_item", order_id=1001, product_id=1) == 409
    assert [item["return_requested"] for item in desk("show_order", order_id=1001)["items"]] == [True, False]
    assert desk("show_order", order_id=1001)["status"] == "delivered"
    desk("return_item", order_id=1001, product_id=2)
    assert desk("show_order", order_id=1001)["status"] == "returned"
    assert sorted(one["reason"] for one in desk("list_returns")) == ["damaged", "no longer needed"]


def test_cards_show_their_last_digits_only(desk: Desk) -> None:
    made = desk("add_payment_card", name="New", number="4999888877776666", expiry_year=2026, expiry_month=12)
    assert desk.refused("add_payment_card", name="new", number="4" * 16, expiry_year=2026, expiry_month=1) == 409
    assert desk.refused("add_payment_card", name="Bad", number="12", expiry_year=2026, expiry_month=1) == 422
    shown = desk("list_payment_cards")[-1]
    assert shown == {
        "payment_card_id": made["payment_card_id"],
        "name": "New",
        "last_digits": "6666",
        "expires_on": "2026-12-31",
    }
    desk("delete_payment_card", payment_card_id=made["payment_card_id"])
    assert len(desk("list_payment_cards")) == 2


def test_every_universe_has_a_plain_catalogue_and_orders_in_every_state() -> None:
    everyone = people(7)
    bases = {base.kind: base.rows.values() for base in generate(7, everyone, NOW)}
    catalogue = [one.name for one in bases[Product]]
    assert len(set(catalogue)) == 120 and not any(", " in name or " and " in name for name in catalogue)
    for person in everyone:
        states = [one.status for one in bases[Order] if one.owner == person.id]
        assert "placed" in states and "delivered" in states
    assert all(one.placed_at <= NOW for one in bases[Order])
    assert all(one.expected <= NOW.date() for one in bases[Order] if one.status == "delivered")
