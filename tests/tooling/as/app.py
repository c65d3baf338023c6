"""An application of GitHub that knows its real URLs only: python3 app.py CODE."""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request


def read(url, data=None, headers={}):
    request = urllib.request.Request(url, data, headers)
    try:
        with urllib.request.urlopen(request) as response:
            return [response.status, response.read().decode()]
    except urllib.error.HTTPError as error:
        return [error.code, error.read().decode()]


form = {"client_id": "my-app", "client_secret": "my-secret", "code": sys.argv[1]}


def exchange():
    url = "https://github.com/login/oauth/access_token"
    status, text = read(url, urllib.parse.urlencode(form).encode(), {"Accept": "application/json"})
    return [status, json.loads(text)]


token = exchange()
status, text = read("https://api.github.com/user", None, {"Authorization": "Bearer " + token[1]["access_token"]})
again = exchange()
unknown = read("https://github.com/octocat")
plain = read("http://github.com/octocat")
print(json.dumps({"token": token, "user": [status, json.loads(text)], "again": again, "unknown": unknown, "plain": plain}))
