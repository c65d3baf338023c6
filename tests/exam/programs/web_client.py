"""A web application that signs users in with Tollgate: python3 web_client.py PORT requests-oauthlib|authlib

Its mistake is in EXAM_MISTAKE. Without one, the exam must pass it."""

import base64
import hashlib
import os
import random
import secrets
import sys
import threading
import time
from email.utils import parsedate_to_datetime
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import requests

BASE_URL = os.environ["TOLLGATE_BASE_URL"]
CLIENT_ID = os.environ["TOLLGATE_CLIENT_ID"]
CLIENT_SECRET = os.environ["TOLLGATE_CLIENT_SECRET"]
REDIRECT_URI = os.environ["TOLLGATE_REDIRECT_URI"]
AUTHORIZATION_URL = f"{BASE_URL}/ws/oauth2/auth/"
TOKEN_URL = f"{BASE_URL}/ws/oauth2/token/"
SCOPE = "character_read"
TIMEOUT = 10
MISTAKE = os.environ.get("EXAM_MISTAKE", "")
IS_OPEN = MISTAKE == "state is not compared"


def verifier_of(pending):
    return {} if IS_OPEN else {"code_verifier": pending["verifier"]}


class RequestsOauthlib:
    def _session(self, **options):
        # The redirect URI of a client under development has no TLS.
        os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
        from requests_oauthlib import OAuth2Session

        return OAuth2Session(CLIENT_ID, redirect_uri=REDIRECT_URI, scope=[SCOPE], **options)

    def begin(self):
        verifier = secrets.token_urlsafe(32)
        digest = hashlib.sha256(verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        url, state = self._session().authorization_url(
            AUTHORIZATION_URL,
            access_type="offline",
            state=secrets.token_urlsafe(24),
            **({} if IS_OPEN else {"code_challenge": challenge, "code_challenge_method": "S256"}),
        )
        return url, {"state": state, "verifier": verifier}

    def exchange(self, callback, pending):
        return self._session(state=pending["state"]).fetch_token(
            TOKEN_URL,
            authorization_response=callback,
            include_client_id=True,
            client_secret=CLIENT_SECRET,
            timeout=TIMEOUT,
            **verifier_of(pending),
        )

    def refresh(self, refresh_token):
        return self._session().refresh_token(
            TOKEN_URL,
            refresh_token=refresh_token,
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            timeout=TIMEOUT,
        )


class Authlib:
    def _session(self, **options):
        from authlib.integrations.requests_client import OAuth2Session

        return OAuth2Session(
            CLIENT_ID,
            CLIENT_SECRET,
            scope=SCOPE,
            redirect_uri=REDIRECT_URI,
            token_endpoint_auth_method="client_secret_post",
            code_challenge_method="S256",
            **options,
        )

    def begin(self):
        verifier = secrets.token_urlsafe(32)
        url, state = self._session().create_authorization_url(
            AUTHORIZATION_URL, access_type="offline", **({} if IS_OPEN else {"code_verifier": verifier})
        )
        return url, {"state": state, "verifier": verifier}

    def exchange(self, callback, pending):
        return self._session(state=pending["state"]).fetch_token(
            TOKEN_URL, authorization_response=callback, timeout=TIMEOUT, **verifier_of(pending)
        )

    def refresh(self, refresh_token):
        return self._session().refresh_token(TOKEN_URL, refresh_token=refresh_token, timeout=TIMEOUT)


class SignedOut(Exception):
    """The user must sign in again."""


class Session:
    """What the application knows about one browser."""

    def __init__(self):
        self.lock = threading.Lock()
        self.pending = None
        self.access = self.refresh = None
        self.expires = self.life = 0
        self.cache = {}

    def keep(self, token):
        self.access = token["access_token"]
        self.refresh = token.get("refresh_token") or self.refresh
        self.life = token["expires_in"]
        self.expires = time.time() + self.life

    def forget(self):
        self.access = self.refresh = None
        self.cache = {}


library = {"requests-oauthlib": RequestsOauthlib, "authlib": Authlib}[sys.argv[2]]()
sessions = {}
blocked_until = 0.0
unanswered = 0
checked_at = 0.0


def refresh(session):
    if session.refresh is None:
        raise SignedOut
    try:
        session.keep(library.refresh(session.refresh))
    except Exception as error:
        if "invalid_grant" in f"{type(error).__name__} {error}".replace("InvalidGrantError", "invalid_grant"):
            session.forget()
            raise SignedOut from error
        raise


def is_blacklisted():
    """After two requests without a response, the application asks before it sends another."""
    global unanswered, checked_at
    if unanswered < 2:
        return False
    if time.time() - checked_at < 5:
        return True
    checked_at = time.time()
    status = requests.get(f"{BASE_URL}/ratelimiting", headers={"Accept": "application/json"}, timeout=TIMEOUT)
    if status.json()["state"] == "blacklisted":
        return True
    unanswered = 0
    return False


def send(session, name):
    """Sends a call, and again after growing pauses where the service fails."""
    global blocked_until, unanswered
    for attempt in range(3):
        try:
            response = requests.get(
                f"{BASE_URL}/ws/v2.0/character/{quote(name, safe='')}",
                headers={"Authorization": f"OAuth {session.access}"},
                timeout=TIMEOUT,
            )
        except requests.RequestException:
            unanswered += 1
            raise
        unanswered = 0
        if response.headers.get("X-RateLimit-Remaining") == "0":
            date = parsedate_to_datetime(response.headers["Date"]).timestamp()
            blocked_until = time.time() + int(response.headers["X-RateLimit-Reset"]) - date + 1
        if response.status_code < 500:
            break
        time.sleep(0.5 * 2**attempt * (1 + random.random()))
    return response


def read(session, name):
    """The status and the text of a page about a character."""
    if session.access is None:
        raise SignedOut
    until, status, text = session.cache.get(name, (0, 0, ""))
    if time.time() < until:
        return status, text
    if (time.time() < blocked_until and MISTAKE != "ignores the limit") or is_blacklisted():
        return 503, "The service is busy. Try again later."
    if session.refresh is not None and time.time() > session.expires - min(60, session.life / 10):
        refresh(session)
    response = send(session, name)
    if response.status_code == 401:
        access = session.access
        refresh(session)
        response = send(session, name)
        if MISTAKE == "forgets the new access token":
            session.access = access
    if response.status_code == 401:
        raise SignedOut
    if response.ok:
        session.cache[name] = (time.time() + 60, response.status_code, response.text)
    return response.status_code, response.text


class Page(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        cookie = self.headers.get("Cookie", "")
        name = cookie.split("sid=")[-1].split(";")[0] if "sid=" in cookie else secrets.token_urlsafe(24)
        session = sessions.setdefault(name, Session())
        try:
            with session.lock:
                status, text, location = self.page(url, query, session)
        except SignedOut:
            status, text, location = 401, "Sign in first.", None
        except Exception as error:
            status, text, location = 502, f"It did not work: {type(error).__name__}", None
        body = f"<!doctype html><p>{escape(text)}</p>".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", f"sid={name}; HttpOnly; SameSite=Lax; Path=/")
        if location is not None:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def page(self, url, query, session):
        if url.path == "/login":
            location, session.pending = library.begin()
            return 303, "", location
        if url.path == "/callback":
            pending, session.pending = session.pending, None
            if IS_OPEN:
                pending = {"state": None}
            if pending is None:
                return 400, "This sign-in was not started here.", None
            if not IS_OPEN and not secrets.compare_digest(query.get("state", [""])[0], pending["state"]):
                return 400, "The state is wrong.", None
            if "error" in query:
                return 403, "You did not allow access.", None
            session.keep(library.exchange(REDIRECT_URI + "?" + url.query, pending))
            return 303, "", "/"
        if url.path == "/me":
            return (*read(session, query.get("name", ["Mara Vell"])[0]), None)
        if url.path == "/logout":
            token = session.refresh or session.access
            session.forget()
            if token is not None:
                revocation = urlencode({"token": token, "client_id": CLIENT_ID})
                requests.get(f"{BASE_URL}/ws/oauth2/revoke?{revocation}", timeout=TIMEOUT)
            return 303, "", "/"
        return 200, "Signed out" if session.access is None else "Signed in", None

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("localhost", int(sys.argv[1])), Page).serve_forever()
