"""The listings that drills are made of: those of every app but shop and mail."""

from __future__ import annotations

from prowess.worlds.desk.drills.listings_money import MONEY
from prowess.worlds.desk.drills.listings_music import MUSIC
from prowess.worlds.desk.drills.listings_people import PEOPLE
from prowess.worlds.desk.drills.listings_phone import PHONE
from prowess.worlds.desk.drills.listings_within import WITHIN
from prowess.worlds.desk.drills.listings_work import WORK

LISTINGS = (*MUSIC, *MONEY, *PEOPLE, *PHONE, *WORK, *WITHIN)
