"""The families of test_challenge: they need shop and mail, which nothing else touches."""

from __future__ import annotations

from prowess_desk.families.challenge import chores, errands, orders, questions, records, requests, reviews

FAMILIES = (
    *chores.FAMILIES,
    *errands.FAMILIES,
    *orders.FAMILIES,
    *questions.FAMILIES,
    *records.FAMILIES,
    *requests.FAMILIES,
    *reviews.FAMILIES,
)
