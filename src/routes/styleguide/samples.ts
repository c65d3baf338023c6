export const request = `POST /ws/oauth2/token/ HTTP/1.1
Host: localhost:8443
Content-Type: application/x-www-form-urlencoded
Accept: application/json

grant_type=authorization_code&code=Gk2v9x&client_id=character-viewer&client_secret=viewer-secret&redirect_uri=https%3A%2F%2Flocalhost%3A8443%2Fviewer%2Fcallback`;

export const response = `HTTP/1.1 200 OK
Content-Type: application/json; charset=utf-8
Cache-Control: no-store
X-Request-Id: 01HV3

{
  "access_token": "Ae4f0b0b9c1d2e3f",
  "expires_in": 3920,
  "refresh_token": null,
  "token_type": "OAuth"
}`;

export const shell = `# a character, with the token in a header
curl -s "$BASE/ws/v2.0/character/Mara%20Vell" \\
  -H "Authorization: OAuth $TOKEN"`;

export const xml = `<?xml version="1.0" encoding="UTF-8"?>
<ratelimits version="1.0" total="2">
  <!-- one record for each pattern -->
  <ratelimit pattern="/ws/v2.0/character/*" limit="600" remaining="583"
    reset="1795255200" reset_time="Sat, 21 Nov 2026 10:00:00 +0000"/>
  <ratelimit pattern="/ws/v2.0/ratelimits" limit="150" remaining="149"
    reset="1795255200" reset_time="Sat, 21 Nov 2026 10:00:00 +0000"/>
</ratelimits>`;
