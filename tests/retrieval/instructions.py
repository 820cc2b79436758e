"""Requests of a digital life, each made four times: twice in the same words, in quite other words, in similar words."""

from __future__ import annotations

SCENARIOS: dict[str, tuple[str, str, str, str]] = {
    "play_top_genre": (
        "Play the most liked rock song in my music library.",
        "Play the most liked jazz song in my music library.",
        "I'm in the mood for some classical: put on whichever track of mine has got the most hearts.",
        "Which blues song in my library has the most likes? Start playing that one.",
    ),
    "playlist_length": (
        "How many minutes long is my playlist 'Morning Run'? Round to the nearest minute.",
        "How many minutes long is my playlist 'Late Night Drive'? Round to the nearest minute.",
        "I want to know the total running time of the songs I collected under 'Cooking', in whole minutes.",
        "Tell me the length, in minutes, of everything on my 'Study' playlist together.",
    ),
    "follow_artists": (
        "Follow all artists of the songs in my 'Roadtrip' playlist on music.",
        "Follow all artists of the songs in my 'Sunday Brunch' playlist on music.",
        "Every singer who appears in the collection called 'Gym' should be among those I subscribe to.",
        "Look through my playlist 'Autumn' and follow whoever made the songs on it.",
    ),
    "unlike_old_songs": (
        "Remove my likes from all songs released before 2001.",
        "Remove my likes from all songs released before 1995.",
        "I have outgrown tracks that came out prior to 2010, so take the hearts I gave them away.",
        "Songs from before 1988 should no longer be liked by me.",
    ),
    "download_albums": (
        "Download every song of the albums in my library that I have rated 5 stars.",
        "Download every song of the albums in my library that I have rated 4 stars.",
        "For records I scored three or better, save their tracks for listening offline.",
        "I gave some albums a rating of 2 stars. Download all the songs on them.",
    ),
    "split_dinner": (
        "I paid $120 for dinner last night with Maria, Tom and Priya. Request their equal shares on wallet.",
        "I paid $84 for dinner last night with Lena, Omar and Kurt. Request their equal shares on wallet.",
        "Yesterday's restaurant bill of 66 dollars was on me. Ask Ana and Jo for their part of it.",
        "Dinner with Ruth, Sam and Ella cost me $96. Send each of them a wallet request for an equal share.",
    ),
    "pay_requests": (
        "Approve all pending payment requests from my roommates on wallet.",
        "Approve all pending payment requests from my coworkers on wallet.",
        "My siblings are still waiting for money they asked me for. Send each of them what is due.",
        "On wallet, accept whatever payment my neighbours have requested from me and is still pending.",
    ),
    "total_received": (
        "How much money have I received from my friends this month on wallet?",
        "How much money have I received from my parents this month on wallet?",
        "What do the transfers that came in from my cousins since the first add up to?",
        "This month, what is the sum of wallet payments that my coworkers made to me?",
    ),
    "remind_payers": (
        "Send a reminder for every payment request that my friends have not answered for 5 days.",
        "Send a reminder for every payment request that my coworkers have not answered for 7 days.",
        "Nudge the people in my band who have been sitting on what they owe me for over ten days.",
        "Some of my roommates have ignored my payment requests for 3 days. Remind them of each.",
    ),
    "like_transactions": (
        "Like all the wallet transactions with my friends that mention 'movie'.",
        "Like all the wallet transactions with my family that mention 'pizza'.",
        "Give a thumbs-up to transfers among my neighbours whose note says something about 'garden'.",
        "Any transaction on wallet between me and my roommates about 'groceries' deserves a like.",
    ),
    "reorder_item": (
        "Order the same running shoes I bought last year again, to my home address.",
        "Order the same coffee grinder I bought last month again, to my home address.",
        "I loved that yoga mat from my earlier purchase. Buy me one more and have it shipped to where I live.",
        "I need another rain jacket like the one I ordered last spring. Have it delivered to my home.",
    ),
    "cheapest_item": (
        "Buy the cheapest bluetooth speaker with a rating of at least 4 on shop.",
        "Buy the cheapest desk lamp with a rating of at least 3 on shop.",
        "Get me a backpack, well reviewed (four and up), for as little money as possible.",
        "Among the water bottles on shop that are rated 4 or higher, order the one with the lowest price.",
    ),
    "return_order": (
        "Return all the shirts of my last order on shop.",
        "Return all the plates of my last order on shop.",
        "The socks that arrived most recently do not fit. Start sending them back for a refund.",
        "Send back the books that were in my most recent order on shop.",
    ),
    "move_wishlist": (
        "Move everything from my wish list that costs less than $30 to my cart.",
        "Move everything from my wish list that costs less than $50 to my cart.",
        "Items I have been dreaming of and that are under 20 dollars: put them in the basket.",
        "Put the products on my wish list with a price below $15 into the cart instead.",
    ),
    "forward_mail": (
        "Forward the last email from Dr. Hahn to my wife.",
        "Forward the last email from Prof. Lind to my manager.",
        "My brother should see what Ms. Ortega wrote to me most recently. Pass it on to him.",
        "Take the newest email I got from Mr. Sato and forward it to my sister.",
    ),
    "star_unread": (
        "Star all unread emails from my manager.",
        "Star all unread emails from my sister.",
        "Mark as important whatever my landlord has written that I have not opened yet.",
        "Emails from my doctor that I have not read yet should get a star.",
    ),
    "delete_spam": (
        "Delete all emails in my inbox from addresses ending in @deals.example.",
        "Delete all emails in my inbox from addresses ending in @promo.example.",
        "Clear my mailbox of everything the senders at coupons.example have thrown into it.",
        "My inbox is full of mail from @offers.example addresses. Delete all of it.",
    ),
    "save_attachments": (
        "Save all attachments of emails labelled 'invoices' to ~/documents/invoices in files.",
        "Save all attachments of emails labelled 'tickets' to ~/documents/tickets in files.",
        "Papers that came with messages tagged 'tax' belong into the folder ~/documents/tax. Put them there.",
        "Put what is attached to my emails with the label 'contracts' into ~/documents/contracts.",
    ),
    "text_group": (
        "Send a text message to all my coworkers saying 'Meeting moved to 3pm'.",
        "Send a text message to all my friends saying 'Party starts at 8pm'.",
        "Let everyone in my family know by SMS: 'We land on Tuesday'.",
        "Text every one of my roommates: 'Plumber comes at noon'.",
    ),
    "alarm_earlier": (
        "Move my weekday wake-up alarm 20 minutes earlier.",
        "Move my weekend wake-up alarm 45 minutes earlier.",
        "From now on my phone should ring half an hour sooner on Mondays to Fridays.",
        "Set the alarm that wakes me on weekdays to ring 15 minutes before its current time.",
    ),
    "add_contact": (
        "Add Nadia Brandt, phone 5551234, to my contacts as a friend.",
        "Add Felix Moreau, phone 5559876, to my contacts as a coworker.",
        "I met my new neighbour Ida Holm. Keep her number, 5554321, in the address book.",
        "Make a new contact for my coworker Hugo Lenz with the phone number 5550007.",
    ),
    "note_habits": (
        "In my habit tracker note, mark 'meditated' as done for today.",
        "In my habit tracker note, mark 'practiced piano' as done for today.",
        "Tick off 'read 20 pages' on the page where I keep my daily routine.",
        "Update today's line of the habit note: 'drank water' is done.",
    ),
    "compress_folder": (
        "Compress the folder ~/photos/vacations/rome and delete the original in files.",
        "Compress the folder ~/photos/vacations/oslo and delete the original in files.",
        "To save space, turn ~/photos/birthdays into a zip archive and get rid of the loose pictures.",
        "Make a zip of ~/photos/vacations/lima in files, then remove the folder itself.",
    ),
    "finish_todos": (
        "Mark all tasks in my 'Moving' project on todo as completed.",
        "Mark all tasks in my 'Garden' project on todo as completed.",
        "The 'Wedding' list is all done, so check every entry of it off.",
        "All that is open in the project 'Taxes' on todo has been done. Complete the tasks.",
    ),
}
