#!/bin/sh
# A command line client of Tollgate: curl-client.sh FOLDER login|show NAME|logout
# The user copies the code from the page of the service. Its mistake is in EXAM_MISTAKE. Without one, the exam must pass it.
set -eu
folder=$1
command=$2
base=$TOLLGATE_BASE_URL
redirect=$TOLLGATE_REDIRECT_URI
mistake=${EXAM_MISTAKE:-}
cd "$folder"

now() { date +%s; }
random() { head -c 32 /dev/urandom | base64 | tr '/+' '_-' | tr -d '=\n'; }
# A field of a flat JSON object.
field() { sed -nE 's/.*"'"$1"'" *: *"?([^",}]*)"?[,}].*/\1/p' | head -n 1; }
# The percent-encoded form of an argument.
encode() { printf %s "$1" | od -An -v -tx1 | tr -d '\n' | sed 's/ /%/g'; }
header() { tr -d '\r' <headers | sed -nE "s/^$1: *(.*)$/\1/Ip" | tail -n 1; }
value() { [ ! -f "$1" ] || cat "$1"; }
lock() {
	exec 9>lock
	flock 9
}

# Keeps the tokens of a response. The refresh token stays if the response has none.
keep() {
	field access_token <response >access
	[ -s access ] || return 1
	new=$(field refresh_token <response)
	[ -z "$new" ] || printf %s "$new" >refresh
	life=$(field expires_in <response)
	margin=$((life / 10 < 60 ? life / 10 : 60))
	echo $(($(now) + life - margin)) >due
}

token_request() {
	curl -sS --max-time 10 -o response -w '%{http_code}' "$base/ws/oauth2/token/" \
		--data-urlencode "client_id=$TOLLGATE_CLIENT_ID" --data-urlencode "client_secret=$TOLLGATE_CLIENT_SECRET" "$@" || true
}

refresh() {
	[ -s refresh ] || { echo 'Sign in first.'; exit 1; }
	status=$(token_request --data-urlencode grant_type=refresh_token --data-urlencode "refresh_token=$(cat refresh)")
	if [ "$status" = 200 ]; then keep; return; fi
	[ "$status" != 400 ] || [ "$(field error <response)" != invalid_grant ] || rm -f access refresh due
	echo 'The refresh failed.'
	exit 1
}

# Stops all calls where none is left in the window, until a second after its reset.
note_limit() {
	[ "$(header X-RateLimit-Remaining)" = 0 ] && [ "$mistake" != 'ignores the limit' ] || return 0
	date=$(date -d "$(header Date)" +%s)
	echo $(($(now) + $(header X-RateLimit-Reset) - date + 1)) >blocked
}

# Sends a call, and again after growing pauses where the service fails.
call() {
	for pause in 1 2 0; do
		status=$(curl -sS --max-time 10 -D headers -o "$page.new" -w '%{http_code}' \
			-H "Authorization: OAuth $(cat access)" "$base/ws/v2.0/character/$(encode "$1")") || status=000
		if [ "$status" = 000 ]; then
			echo $(($(value unanswered) + 1)) >unanswered
			echo 'There was no response.'
			exit 1
		fi
		echo 0 >unanswered
		note_limit
		case $status in 5*) sleep "$pause" ;; *) return 0 ;; esac
	done
}

# After two requests without a response, the client asks before it sends another.
is_blacklisted() {
	[ "$(value unanswered)" -ge 2 ] 2>/dev/null || return 1
	state=$(curl -sS --max-time 10 -H 'Accept: application/json' "$base/ratelimiting" | field state) || state=unknown
	[ "$state" = blacklisted ] || return 1
}

case $command in
login)
	state=$(random)
	verifier=$(random)
	challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64 | tr '/+' '_-' | tr -d '=\n')
	query="response_type=code&client_id=$TOLLGATE_CLIENT_ID&redirect_uri=$(encode "$redirect")&scope=character_read"
	"$BROWSER" "$base/ws/oauth2/auth/?$query&access_type=offline&state=$state&code_challenge=$challenge&code_challenge_method=S256"
	read -r code
	lock
	rm -rf pages blocked
	status=$(token_request --data-urlencode grant_type=authorization_code --data-urlencode "code=$code" \
		--data-urlencode "redirect_uri=$redirect" --data-urlencode "code_verifier=$verifier")
	[ "$status" = 200 ] && keep
	;;
show)
	lock
	mkdir -p pages
	page=pages/$(encode "$3")
	[ -s access ] || { echo 'Sign in first.'; exit 1; }
	if [ -f "$page" ] && [ $(($(now) - $(stat -c %Y "$page"))) -lt 60 ]; then cat "$page"; exit; fi
	if [ "$(now)" -lt "$(value blocked || true)" ] 2>/dev/null || is_blacklisted; then
		echo 'The service is busy. Try again later.'
		exit 1
	fi
	[ "$(now)" -lt "$(cat due)" ] || [ ! -s refresh ] || refresh
	call "$3"
	if [ "$status" = 401 ]; then
		cp access old
		refresh
		call "$3"
		[ "$mistake" != 'forgets the new access token' ] || mv old access
	fi
	[ "$status" != 200 ] || mv "$page.new" "$page"
	echo "Status $status"
	;;
logout)
	lock
	token=$(value refresh)
	[ -n "$token" ] || token=$(value access)
	rm -rf access refresh due pages
	[ -z "$token" ] || curl -sS --max-time 10 -o response "$base/ws/oauth2/revoke?token=$token&client_id=$TOLLGATE_CLIENT_ID"
	;;
esac
