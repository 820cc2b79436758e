"""APIs on the player and its queue."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.music import rows
from prowess_desk.apps.music.app import SONG, SongId, album_with, music, shown_song, song_with
from prowess_desk.apps.music.playlists import playlist_seen
from prowess_desk.apps.music.rows import Player, Song
from prowess_desk.engine.api import Ctx, OneOf, Span, conflict, invalid

_QUEUE = [{"song_id": 1, "title": "string"}]
_PLAYER = {"current_song": SONG, "is_playing": True, "volume": 50, "position": 0, "queue": _QUEUE}


def _player(ctx: Ctx) -> Json:
    player = ctx.state[Player][ctx.me.id]
    songs = [ctx.state[Song][id] for id in player.queue]
    return {
        "current_song": shown_song(ctx.state, songs[player.position]) if songs else None,
        "is_playing": player.playing,
        "volume": player.volume,
        "position": player.position,
        "queue": [{"song_id": song.id, "title": song.title} for song in songs],
    }


def _queued(ctx: Ctx) -> Player:
    player = ctx.state[Player][ctx.me.id]
    if not player.queue:
        conflict("The queue is empty: play something first.")
    return player


@music.api(returns=_PLAYER)
def show_player(ctx: Ctx) -> Json:
    """Show what is on, the queue and the volume."""
    return _player(ctx)


@music.api(returns={"message": "Playing.", "song_id": 1})
def play(
    ctx: Ctx,
    song_id: Annotated[int | None, "play this song"] = None,
    album_id: Annotated[int | None, "play the songs of this album"] = None,
    playlist_id: Annotated[int | None, "play the songs of this playlist"] = None,
) -> Json:
    """Replace the queue by one song, album or playlist and play it from its start; with none of them, resume."""
    given = [id for id in (song_id, album_id, playlist_id) if id is not None]
    if len(given) > 1:
        invalid("Give one of song_id, album_id and playlist_id, or none to resume.")
    if song_id is not None:
        player = rows.play(ctx.state, ctx.me.id, [song_with(ctx.state, song_id).id])
    elif album_id is not None:
        player = rows.play(ctx.state, ctx.me.id, album_with(ctx.state, album_id).song_ids)
    elif playlist_id is not None:
        songs = playlist_seen(ctx, playlist_id).song_ids
        if not songs:
            conflict(f"Playlist {playlist_id} is empty.")
        player = rows.play(ctx.state, ctx.me.id, songs)
    else:
        _queued(ctx)
        player = rows.set_playing(ctx.state, ctx.me.id, True)
    return {"message": "Playing.", "song_id": player.queue[player.position]}


@music.api(returns={"message": "Paused."})
def pause(ctx: Ctx) -> Json:
    """Pause the player."""
    if not _queued(ctx).playing:
        conflict("The player is already paused.")
    rows.set_playing(ctx.state, ctx.me.id, False)
    return {"message": "Paused."}


@music.api(returns={"message": "Playing.", "song_id": 1})
def skip(
    ctx: Ctx, direction: Annotated[str, "which way in the queue, round its ends", OneOf(("next", "previous"))] = "next"
) -> Json:
    """Go to the next or the previous song of the queue and play it."""
    _queued(ctx)
    player = rows.skip(ctx.state, ctx.me.id, 1 if direction == "next" else -1)
    return {"message": "Playing.", "song_id": player.queue[player.position]}


@music.api(returns={"message": "Added to the queue.", "song_id": 1})
def add_to_queue(ctx: Ctx, song_id: SongId) -> Json:
    """Add a song at the end of the queue."""
    rows.enqueue(ctx.state, ctx.me.id, song_with(ctx.state, song_id).id)
    return {"message": "Added to the queue.", "song_id": song_id}


@music.api(returns={"message": "The queue is empty."})
def clear_queue(ctx: Ctx) -> Json:
    """Empty the queue, which stops the player."""
    rows.clear_queue(ctx.state, ctx.me.id)
    return {"message": "The queue is empty."}


@music.api(returns={"message": "Volume set.", "volume": 50})
def set_volume(ctx: Ctx, volume: Annotated[int, "how loud", Span(0, 100)]) -> Json:
    """Set the volume of the player."""
    rows.set_volume(ctx.state, ctx.me.id, volume)
    return {"message": "Volume set.", "volume": volume}
