"""Texts that tasks give."""

from __future__ import annotations

MESSAGES = (
    "Call me when you can.|I am on my way.|Please bring the keys.|We should talk soon.|Thank you for yesterday!|"
    "Could you help me on Sunday?|I will be late today.|Let us meet at noon."
)
TIMES = "05:50|06:35|07:20|09:10|12:45|16:05|17:40|20:25|21:55"
LABELS = "Check the oven|Stand up|Leave the house|Feed the fish|Look outside|Drink water|Lock the door"
MIXES = "Rainy Sunday|Kitchen Radio|Night Train|Garden Party|First Coffee|Long Way Home|Open Window"
TITLES = "What I decided|House rules|Loose ends|Shelf plan|Things I learned|Second thoughts|A good day"
TEXTS = "Nothing new here.|Look at this again.|This is settled.|Needs another look.|Ask the others first."
CHORES = "oil the hinges|fold the laundry|count the chairs|clear the desk|sweep the yard|sort the cables|dust the lamps"
TAGS = "urgent|later|family circle|checked|spring|hobby"
REASONS = "Old debt|Flowers|Concert|Taxi home|Shared dinner|Birthday present|Firewood|Museum day"
COLORS = "red|orange|yellow|green|blue|purple"
VERDICTS = "Grows on me.|Not for every day.|A favorite by now.|Too loud for me.|Best heard at night."
ADDRESSES = "4 Canal Row|17 Castle Hill|9 Market Square|52 Lakeside Road|3 Chapel Yard"
GROUPS = "Garden Shed|Book Swap|Sled Team|Pottery|Night Owls|Canoe"
