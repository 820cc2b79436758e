"""What every app with accounts shares: logging in and out, and showing one's account."""

from __future__ import annotations

from prowess.seeds import derive
from prowess.types import Json
from prowess_desk.engine.api import Api, ApiError, App, Ctx, Parameter, conflict
from prowess_desk.engine.people import Person, password

LOGINS = 10_000
"""Access tokens that hold at a time."""


def with_accounts(app: App, *, by: str = "email") -> App:
    """Give an app its `login`, `logout` and `show_account`; an account is named by e-mail or by phone number."""
    word = {"email": "e-mail address", "phone": "phone number"}[by]

    def login(ctx: Ctx, username: str, password_: str) -> Json:
        person = next((who for who in ctx.state[Person] if getattr(who, by) == username), None)
        if person is None or password(ctx.session.universe, person, app.name) != password_:
            raise ApiError(401, f"Wrong {word} or password.")
        if len(ctx.session.tokens) >= LOGINS:
            conflict(f"You are logged in {LOGINS} times already: log out first.")
        token = f"{app.name}-{derive(ctx.session.seed, app.name, person.id, len(ctx.session.tokens)):016x}"
        ctx.session.tokens[app.name, token] = person.id
        return {"access_token": token, "token_type": "Bearer"}

    app.apis["login"] = Api(
        app=app.name,
        name="login",
        about="Log in to your account and receive an access token.",
        handler=lambda ctx, **given: login(ctx, given["username"], given["password"]),
        parameters=(
            Parameter(name="username", type=str, about=f"{word} of your account", required=True),
            Parameter(name="password", type=str, about=f"password of your {app.name} account", required=True),
        ),
        login=False,
        returns={"access_token": "string", "token_type": "Bearer"},
    )

    @app.api(returns={"message": "Logged out."})
    def logout(ctx: Ctx) -> Json:
        """Log out of your account: every access token of it for this app ends."""
        tokens = ctx.session.tokens
        for key in [key for key, id in tokens.items() if key[0] == app.name and id == ctx.me.id]:
            del tokens[key]
        return {"message": "Logged out."}

    @app.api(returns={"first_name": "string", "last_name": "string", "email": "string", "phone_number": "string"})
    def show_account(ctx: Ctx) -> Json:
        """Show the account you are logged in to."""
        me = ctx.me
        return {"first_name": me.first, "last_name": me.last, "email": me.email, "phone_number": me.phone}

    return app
