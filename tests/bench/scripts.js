// What the load generator sends: each script makes one visitor per connection, and a visitor says what to send next.

/** @typedef {import('./connection.js').Response} Response */

/**
 * One round of a visitor is the unit that is counted and timed.
 * @typedef {object} Visitor
 * @property {() => string} begin the first request of a round
 * @property {(response: Response) => string | true | false} next the next request, true: the round went well, false: it did not
 */

/**
 * What a script needs to know.
 * @typedef {object} Target
 * @property {string} host the value of the Host header
 * @property {string} refreshToken
 * @property {string} accessToken
 * @property {string} cookie of a signed-in user
 * @property {string} [sandbox] what its base URL adds to the origin; absent for the root
 * @property {string} [key] of the sandbox
 * @property {string[]} [sandboxes] as sandbox, one for each connection in turn
 * @property {string[]} [tokens] an access token of each of the sandboxes, or a refresh token for each connection
 * @property {string} [body] a snapshot, or the state of an authorization request
 * @property {number} first where the numbering of made-up addresses begins
 */

const client = 'client_id=character-viewer&client_secret=viewer-secret';
const character = '/ws/v2.0/character/Mara%20Vell';

/** @param {string} text an origin-form target @param {string} host @param {string} [headers] each with its line end */
function get(text, host, headers = '') {
	return `GET ${text} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
}

/** @param {string} form @param {string} host @param {string} [sandbox] what its base URL adds to the origin */
function postToken(form, host, sandbox = '') {
	return postForm(`${sandbox}/ws/oauth2/token/`, form, host);
}

/** @param {string} path @param {string} form @param {string} host */
function postForm(path, form, host) {
	return (
		`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
		`Content-Length: ${Buffer.byteLength(form)}\r\n\r\n${form}`
	);
}

/** @param {string} method @param {string} path @param {string} host @param {string} key @param {string} body JSON */
function control(method, path, host, key, body) {
	return (
		`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nX-Tollgate-Key: ${key}\r\n` +
		`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
	);
}

/**
 * The same request again and again.
 * @param {string} request
 * @param {number} status the one that is right
 * @returns {Visitor}
 */
function repeat(request, status) {
	return { begin: () => request, next: (response) => response.status === status };
}

/** @param {number} number @returns {string} a separate IPv4 address for each number below 2^24 */
function address(number) {
	return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** @type {Record<string, (target: Target, index: number, count: number) => Visitor>} */
export const scripts = {
	refresh: ({ host, refreshToken, sandbox }) =>
		repeat(postToken(`grant_type=refresh_token&refresh_token=${refreshToken}&${client}`, host, sandbox), 200),

	/** A refresh in the dialect of today's standards, which replaces the refresh token. */
	rotate({ host, sandbox, tokens = [] }, index) {
		let token = tokens[index % tokens.length] ?? '';
		return {
			begin: () => postToken(`grant_type=refresh_token&refresh_token=${token}&${client}`, host, sandbox),
			next({ status, body }) {
				if (status !== 200) return false;
				/** @type {{ refresh_token: string }} */
				const tokens = JSON.parse(body);
				token = tokens.refresh_token;
				return true;
			}
		};
	},

	character: ({ host, accessToken, sandbox = '' }) =>
		repeat(get(`${sandbox}${character}`, host, `Authorization: OAuth ${accessToken}\r\n`), 200),

	/** A character read in the dialect of today's standards. */
	bearer: ({ host, accessToken, sandbox = '' }) =>
		repeat(get(`${sandbox}${character}`, host, `Authorization: Bearer ${accessToken}\r\n`), 200),

	/** A call in the seat of a class. */
	seat({ host, sandboxes = [], tokens = [] }, index) {
		const at = index % sandboxes.length;
		return repeat(get(`${sandboxes[at]}${character}`, host, `Authorization: OAuth ${tokens[at]}\r\n`), 200);
	},

	home: ({ host }) => repeat(get('/', host, 'Accept-Encoding: gzip\r\n'), 200),

	openApi: ({ host }) => repeat(get('/openapi.json', host, 'Accept-Encoding: gzip\r\n'), 200),

	/** A rejected token request whose text is long in the traffic log. */
	longText: ({ host, sandboxes = [] }, index) =>
		repeat(postToken(`x=${'ž'.repeat(7000)}`, host, sandboxes[index % sandboxes.length]), 400),

	/** A snapshot of 3 MB without a key. */
	largeBody: ({ host }) => repeat(control('PUT', '/control/snapshot', host, '', ' '.repeat(3e6)), 403),

	/** A snapshot into one sandbox. */
	snapshot: ({ host, sandbox = '', key = '', body = '' }) =>
		repeat(control('PUT', `${sandbox}/control/snapshot`, host, key, body), 200),

	/** An account whose name is taken. */
	account: ({ host, sandbox = '', key = '' }) =>
		repeat(
			control('POST', `${sandbox}/control/accounts`, host, key, '{"username":"player-one","password":"a password"}'),
			409
		),

	/** A new sandbox, and a snapshot into it. */
	sandbox: ({ host, body = '' }) => ({
		begin: () => control('POST', '/control/sandboxes', host, '', '{}'),
		next(response) {
			if (response.status !== 201) return response.status === 200;
			/** @type {{ base_url: string, key: string }} */
			const { base_url, key } = JSON.parse(response.body);
			return control('PUT', `${new URL(base_url).pathname}/control/snapshot`, host, key, body);
		}
	}),

	/** A call that the sandbox delays, or rejects because it delays too many. */
	delayed: ({ host, sandbox = '' }) => ({
		begin: () => get(`${sandbox}/ws/v2.0/ratelimits`, host),
		next: ({ status }) => status === 401 || status === 503
	}),

	/** A signed-in user who has consented before: authorization request, code exchange, character. */
	flow({ host, cookie, sandbox = '' }) {
		const callback = `https://${host}${sandbox}/viewer/callback`;
		const authorization = get(
			`${sandbox}/ws/oauth2/auth/?response_type=code&client_id=character-viewer&redirect_uri=${encodeURIComponent(callback)}` +
				'&scope=character_read&state=0123456789abcdef',
			host,
			`Cookie: ${cookie}\r\n`
		);
		let step = 0;
		return {
			begin() {
				step = 0;
				return authorization;
			},
			next({ status, head, body }) {
				step += 1;
				if (step === 1) {
					const code = /\r\nlocation: [^\r\n]*[?&]code=([^&\r\n]+)/i.exec(head)?.[1];
					if (code === undefined) return false;
					const uri = encodeURIComponent(callback);
					return postToken(`grant_type=authorization_code&code=${code}&redirect_uri=${uri}&${client}`, host, sandbox);
				}
				if (step === 2) {
					const token = /"access_token":"([^"]+)"/.exec(body)?.[1];
					if (token === undefined) return false;
					return get(`${sandbox}${character}`, host, `Authorization: OAuth ${token}\r\n`);
				}
				return status === 200;
			}
		};
	},

	/** A character read from an address that no call came from before. */
	addresses({ host, accessToken, first }, index, count) {
		let number = first + index;
		return {
			begin() {
				const request = get(
					character,
					host,
					`Authorization: OAuth ${accessToken}\r\nX-Forwarded-For: ${address(number)}\r\n`
				);
				number += count;
				return request;
			},
			next: (response) => response.status === 200
		};
	},

	/** The same with the same few addresses. */
	neighbors({ host, accessToken }, index) {
		const headers = `Authorization: OAuth ${accessToken}\r\nX-Forwarded-For: ${address(index)}\r\n`;
		return repeat(get(character, host, headers), 200);
	},

	/** A user opens the sign-in page and leaves. No cookie is sent. */
	abandon({ host, sandbox = '', body: state = 'abandoned' }) {
		const uri = encodeURIComponent(`https://${host}${sandbox}/viewer/callback`);
		const query = `response_type=code&client_id=character-viewer&redirect_uri=${uri}&scope=character_read&state=${state}`;
		return repeat(get(`${sandbox}/ws/oauth2/auth/?${query}`, host, 'Accept: text/html\r\n'), 200);
	},

	/** A user signs in on the account page. */
	signIn: ({ host, sandbox = '' }) =>
		repeat(postForm(`${sandbox}/account`, 'action=sign-in&csrf_token=&username=player-three&password=demo', host), 303),

	/** A support ticket. */
	ticket: ({ host, sandbox = '' }) =>
		repeat(control('POST', `${sandbox}/control/tickets`, host, '', '{"reason":"a","resolution":"b"}'), 201)
};
