# An application of GitHub that knows its real URLs only: sh app.sh CODE. It uses curl.
exchange() {
	curl -sS -w '\n%{http_code}' -H 'Accept: application/json' -d "client_id=my-app&client_secret=my-secret&code=$1" \
		https://github.com/login/oauth/access_token
}
show() { printf '[%s,%s]' "$(printf '%s' "$1" | tail -n 1)" "$(printf '%s' "$1" | sed '$d' | tr '\n' ' ' | sed "$2")"; }
quoted='s/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$/"/'
token=$(exchange "$1")
access=$(printf '%s' "$token" | sed -n 's/.*"access_token":"\([^"]*\)".*/\1/p')
user=$(curl -sS -w '\n%{http_code}' -H "Authorization: Bearer $access" https://api.github.com/user)
again=$(exchange "$1")
unknown=$(curl -sS -w '\n%{http_code}' https://github.com/octocat)
plain=$(curl -sS -w '\n%{http_code}' http://github.com/octocat)
printf '{"token":%s,"user":%s,"again":%s,"unknown":%s,"plain":%s}\n' "$(show "$token" '')" "$(show "$user" '')" \
	"$(show "$again" '')" "$(show "$unknown" "$quoted")" "$(show "$plain" "$quoted")"
