"""The listings that drills are made of: those of every app but shop and mail."""

from __future__ import annotations

from prowess_practice.drills.listings_money import MONEY, PEOPLE
from prowess_practice.drills.listings_music import MUSIC
from prowess_practice.drills.listings_phone import PHONE
from prowess_practice.drills.listings_within import WITHIN
from prowess_practice.drills.listings_work import WORK

LISTINGS = (*MUSIC, *MONEY, *PEOPLE, *PHONE, *WORK, *WITHIN)
