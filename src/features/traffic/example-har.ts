/** Where the example happens. No such site exists. */
const application = 'https://app.fabrikam.example';
const provider = 'https://auth.meridian.example';
const resource = 'https://api.meridian.example';

const start = Date.UTC(2026, 10, 24, 9, 12, 4);

type Headers = Readonly<Record<string, string>>;

/** What one request of the example differs in. */
type Step = {
	readonly second: number;
	readonly url: string;
	readonly status: number;
	readonly method?: string;
	readonly sent?: Headers;
	readonly form?: Headers;
	readonly received?: Headers;
	readonly body?: string;
	readonly type?: string;
};

/**
 * A sign-in as a browser records it, with two mistakes of the application: it uses a token after it expired, and the same
 * code challenge for all sign-ins.
 */
export function exampleHar(): string {
	const states = ['f0Qk3WbB7sYhT2nM9aA', 'f0Qk8PdC1uXgR6kL5eE', 'f0Qk2ZvN4yJmT7hW0iB'];
	const authorize = (at: number) =>
		`${provider}/authorize?${new URLSearchParams({
			response_type: 'code',
			client_id: 'fabrikam-web',
			redirect_uri: `${application}/callback`,
			scope: 'openid accounts',
			state: states[at] ?? '',
			code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
			code_challenge_method: 'S256'
		}).toString()}`;
	const callback = (code: string, at: number) =>
		`${application}/callback?${new URLSearchParams({ code, state: states[at] ?? '' }).toString()}`;
	const [first, second, third] = ['aut7Gx0pVq2LwZ8c31c', 'aut7Rm4kTd9NsY6e77b', 'aut7Hb1uXe5JfK3a90d'].map(callback);
	const issued = Math.floor(start / 1000) + 16;
	const token = [
		{ alg: 'RS256', kid: 'meridian-1', typ: 'at+jwt' },
		{ iss: provider, aud: resource, sub: 'u-4711', scope: 'openid accounts', iat: issued, exp: issued + 30 }
	]
		.map((part) => base64Url(JSON.stringify(part)))
		.join('.');
	const bearer = { Authorization: `Bearer ${token}.c2lnbmF0dXJlLW9mLXRoZS1leGFtcGxl`, Cookie: 'sid=81f2c0de' };
	const accounts = (second: number, rest: Pick<Step, 'status' | 'received' | 'body'>): Step => ({
		second,
		url: `${resource}/v1/accounts`,
		sent: bearer,
		type: 'application/json',
		...rest
	});
	const login = (second: number, at: number): Step => ({
		second,
		url: `${application}/login`,
		status: 302,
		received: { Location: authorize(at), 'Set-Cookie': 'sid=81f2c0de; Secure; HttpOnly' }
	});
	const again = (second: number, at: number, url = ''): Step[] => [
		login(second, at),
		{ second: second + 1, url: authorize(at), status: 302, received: { Location: url } },
		{ second: second + 1, url, status: 302, received: { Location: `${application}/` } }
	];
	const steps: Step[] = [
		login(0, 0),
		{ second: 0, url: authorize(0), status: 200, body: '<!doctype html><title>Sign in</title>', type: 'text/html' },
		{ second: 0, url: `${provider}/static/page.js`, status: 200, body: 'start()', type: 'text/javascript' },
		{ second: 0, url: `${provider}/static/logo.svg`, status: 200, type: 'image/svg+xml' },
		{
			second: 15,
			url: `${provider}/login`,
			method: 'POST',
			status: 302,
			form: { username: 'mara@fabrikam.example', password: 'correct horse battery' },
			received: { Location: authorize(0) }
		},
		{ second: 15, url: authorize(0), status: 302, received: { Location: first ?? '' } },
		{ second: 16, url: first ?? '', status: 302, received: { Location: `${application}/` } },
		{
			second: 16,
			url: `${provider}/jwks.json`,
			status: 200,
			body: JSON.stringify({
				keys: ['meridian-1', 'meridian-2'].map((kid) => ({ kty: 'RSA', kid, n: 'AQAB', e: 'AQAB' }))
			}),
			type: 'application/json'
		},
		accounts(17, {
			status: 200,
			received: { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '60' },
			body: '{"accounts":[{"id":"1"},{"id":"2"},{"id":"3"}]}'
		}),
		accounts(47, {
			status: 401,
			received: {
				'WWW-Authenticate': 'Bearer error="invalid_token", error_description="The token expired"',
				'X-RateLimit-Limit': '60',
				'X-RateLimit-Remaining': '58',
				'X-RateLimit-Reset': '30'
			},
			body: '{"error":"invalid_token"}'
		}),
		...again(47, 1, second),
		...again(731, 2, third)
	];
	return JSON.stringify({
		log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, entries: steps.map(entryOf) }
	});
}

function entryOf({ second, url, status, method = 'GET', sent = {}, form, received = {}, body = '', type = '' }: Step) {
	const pairs = (headers: Headers) => Object.entries(headers).map(([name, value]) => ({ name, value }));
	const mimeType = 'application/x-www-form-urlencoded';
	return {
		startedDateTime: new Date(start + second * 1000).toISOString(),
		time: 182,
		request: {
			method,
			url,
			headers: pairs({
				Host: new URL(url).host,
				'User-Agent': 'Mozilla/5.0',
				...sent,
				...(form && { 'Content-Type': mimeType })
			}),
			...(form && { postData: { mimeType, text: new URLSearchParams(form).toString() } })
		},
		response: {
			status,
			headers: pairs({ ...received, ...(type !== '' && { 'Content-Type': type }) }),
			content: { size: body.length, mimeType: type, text: body }
		}
	};
}

function base64Url(text: string): string {
	return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
