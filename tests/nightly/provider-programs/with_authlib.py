# Authlib, unmodified, at the real URLs of three providers. Each printed line is a row of the table in the documentation.
import json
import os
import ssl
import urllib.request

from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

CALLBACK = "http://localhost:3000/callback"


def arrive(url, provider):
    """The user follows the link of the client, and allows what it asks. Returns where the browser arrives."""
    query = url.split("?", 1)[1]
    body = json.dumps({"username": "player-one", "query": query, "provider": provider}).encode()
    request = urllib.request.Request(
        os.environ["TOLLGATE_BASE_URL"] + "/control/authorizations", body, {"content-type": "application/json"}
    )
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=ssl._create_unverified_context())
    )
    return json.load(opener.open(request))["location"]


def session(scope, **more):
    return OAuth2Session("my-app", "my-secret", redirect_uri=CALLBACK, scope=scope, **more)


def error_of(action):
    try:
        action()
    except OAuthError as error:
        return error.error
    return None


client = session("user:email")
url, state = client.create_authorization_url("https://github.com/login/oauth/authorize")
location = arrive(url, "github")
exchange = lambda: client.fetch_token(
    "https://github.com/login/oauth/access_token", authorization_response=location, state=state
)
token = exchange()
assert "refresh_token" not in token and "expires_at" not in token, token
assert client.get("https://api.github.com/user").json()["login"] == "player-one"
assert error_of(exchange) == "bad_verification_code"
print("| `Authlib` | GitHub | sign-in, call, no refresh token, error with status 200 |")

verifier = generate_token(48)
client = session("openid email", code_challenge_method="S256")


def google(**more):
    url, state = client.create_authorization_url(
        "https://accounts.google.com/o/oauth2/v2/auth", code_verifier=verifier, access_type="offline", **more
    )
    return client.fetch_token(
        "https://oauth2.googleapis.com/token",
        authorization_response=arrive(url, "google"),
        code_verifier=verifier,
        state=state,
    )


first = google(prompt="consent")
refreshed = client.refresh_token("https://oauth2.googleapis.com/token", refresh_token=first["refresh_token"])
assert refreshed["access_token"] != first["access_token"]
assert refreshed["refresh_token"] == first["refresh_token"]
assert client.get("https://openidconnect.googleapis.com/v1/userinfo").json()["sub"] == "player-one"
assert "refresh_token" not in google()
print("| `Authlib` | Google | sign-in, refresh with the same refresh token, call, no refresh token at the second sign-in |")

okta = "https://example.okta.com/oauth2/default/v1"
client = session("openid profile offline_access")
url, state = client.create_authorization_url(okta + "/authorize")
first = client.fetch_token(okta + "/token", authorization_response=arrive(url, "okta"), state=state)
assert client.get(okta + "/userinfo").json()["preferred_username"] == "player-one"
next_one = client.refresh_token(okta + "/token", refresh_token=first["refresh_token"])
assert next_one["refresh_token"] != first["refresh_token"]
assert client.revoke_token(okta + "/revoke", token=next_one["refresh_token"]).status_code == 200
ended = lambda: client.refresh_token(okta + "/token", refresh_token=next_one["refresh_token"])
assert error_of(ended) == "invalid_grant"
print("| `Authlib` | Okta | sign-in, call, refresh with another refresh token, revocation |")
