import type { Difference } from './difference.ts';

const character = 'GET /ws/v2.0/character/{character}' as const;
const pkce = 'code_challenge={code_challenge}&code_challenge_method=S256';
const installedRequest = '/ws/oauth2/auth/?response_type=code&client_id={installed_id}&scope={scope}&state=s1' as const;
const oauth = { Authorization: 'OAuth {access_token}' };
/** An exchange with a code that does not exist: whether its response can be read does not depend on that. */
const installedExchange = {
	grant_type: 'authorization_code',
	code: 'unknown',
	redirect_uri: 'http://localhost',
	client_id: '{installed_id}',
	client_secret: '{installed_secret}'
};
const bearer = { Authorization: 'Bearer {access_token}' };

/** What installed applications do, and what clients read at the rate limit. */
export const installedAndLimitDifferences: readonly Difference[] = [
	{
		id: 'redirect_loopback',
		title: 'Loopback redirect URI',
		source: 'RFC 8252',
		group: 'installed',
		why: '`localhost` can be another address on some machines. 127.0.0.1 cannot.',
		change: {
			text: 'Listen at 127.0.0.1 on any free port, and name that address.',
			specification: 'const redirect_uri = `http://localhost:${port}/callback`;',
			standard: 'const redirect_uri = `http://127.0.0.1:${port}/callback`;'
		},
		specification: {
			section: '3.2',
			request: {
				line: `GET ${installedRequest}&redirect_uri=http%3A%2F%2F127.0.0.1%3A51004%2Fcallback&${pkce}`,
				isAuthorization: true
			},
			response: { status: 400, headers: { location: null } }
		},
		standard: {
			section: 'RFC 8252 §7.3',
			request: {
				line: `GET ${installedRequest}&redirect_uri=http%3A%2F%2F127.0.0.1%3A51004%2Fcallback&${pkce}`,
				isAuthorization: true
			},
			response: { status: 303, headers: { location: '127.0.0.1:51004' } }
		}
	},
	{
		id: 'out_of_band',
		title: 'Out-of-band code',
		source: 'RFC 8252',
		group: 'installed',
		why: 'Users can be talked into copying a code to an attacker.',
		change: {
			text: 'Listen on a loopback address. The user copies nothing.',
			specification: 'const redirect_uri = "urn:ietf:wg:oauth:2.0:oob";',
			standard: 'const redirect_uri = `http://127.0.0.1:${port}/callback`;'
		},
		specification: {
			section: '3.2',
			request: {
				line: `GET ${installedRequest}&redirect_uri=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob&${pkce}`,
				isAuthorization: true
			},
			response: { status: 200, contains: ['code='] }
		},
		standard: {
			section: 'RFC 8252 §7',
			request: {
				line: `GET ${installedRequest}&redirect_uri=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob&${pkce}`,
				isAuthorization: true
			},
			response: { status: 400 }
		}
	},
	{
		id: 'browser_client',
		title: 'Client in a browser',
		source: 'draft',
		group: 'installed',
		why: 'A page without a server has no secret, and can only read what the service allows its origin to read.',
		change: {
			text: 'Register the page as an installed application with its redirect URI. Its origin may then read token responses.',
			specification: 'const tokens = await (await fetch("/my-server/tokens")).json(); // with the secret of my server',
			standard: 'const tokens = await (await fetch(token_endpoint, { method: "POST", body })).json();'
		},
		specification: {
			section: '3.2',
			request: { line: 'POST /ws/oauth2/token/', headers: { Origin: '{origin}' }, form: installedExchange },
			response: { status: 400, headers: { 'access-control-allow-origin': null } }
		},
		standard: {
			section: 'Browser-Based Applications',
			request: { line: 'POST /ws/oauth2/token/', headers: { Origin: '{origin}' }, form: installedExchange },
			response: { status: 400, headers: { 'access-control-allow-origin': '://' } }
		}
	},
	{
		id: 'limit_status',
		title: 'Status at the limit',
		source: 'RFC 6585',
		group: 'limits',
		why: '400 says that the request is wrong. 429 says that it came too early, and when to send it again.',
		change: {
			text: 'Wait for `Retry-After`, in seconds.',
			specification: 'if (error === "rate_limit_exceeded") await until(headers.get("x-ratelimit-resettime"));',
			standard: 'if (response.status === 429) await seconds(headers.get("retry-after"));'
		},
		limit: 0,
		specification: {
			section: '7',
			request: { line: character, headers: oauth },
			response: { status: 400, headers: { 'retry-after': null }, contains: ['rate_limit_exceeded'] }
		},
		standard: {
			section: 'RFC 6585 §4',
			request: { line: character, headers: bearer },
			response: { status: 429, headers: { 'retry-after': '' } }
		}
	},
	{
		id: 'limit_headers',
		title: 'Limit header fields',
		source: 'draft',
		group: 'limits',
		why: 'The draft on RateLimit header fields names the quota and what is left of it, as structured fields.',
		change: {
			text: 'Read `RateLimit`. The fields of the specification are sent as well. This is a draft and can still change.',
			specification: 'const remaining = Number(headers.get("x-ratelimit-remaining"));',
			standard: 'const [, remaining, seconds] = /r=(\\d+);t=(\\d+)/.exec(headers.get("ratelimit"));'
		},
		specification: {
			section: '2.5',
			request: { line: 'GET /ws/v2.0/ratelimits', headers: oauth },
			response: { status: 200, headers: { ratelimit: null, 'x-ratelimit-remaining': '' } }
		},
		standard: {
			section: 'RFC 9651',
			request: { line: 'GET /ws/v2.0/ratelimits', headers: bearer },
			response: { status: 200, headers: { ratelimit: ';r=', 'ratelimit-policy': ';q=', 'x-ratelimit-remaining': '' } }
		}
	}
];
