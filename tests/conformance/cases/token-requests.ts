import { equal, matches, ok } from '../assert.ts';
import { testCase, hostCase, type Case } from '../case.ts';
import { encode, formType, type Pairs } from '../sandbox.ts';

const noGrant = { grant_type: 'refresh_token', refresh_token: 'A'.repeat(43) };

/** TK-01 to TK-06: what the token endpoint takes. */
export const tokenRequestCases: Case[] = [
	testCase(
		'TK-01 accepts a form without Origin, with Origin: null or with a foreign one',
		async (at) => {
			const { client_id, client_secret } = at.viewer;
			for (const origin of [[], ['Origin', 'null'], ['Origin', 'https://evil.example']]) {
				const response = await at.token({ ...noGrant, client_id, client_secret }, ...origin);
				equal([response.status, response.error], [400, 'invalid_grant'], origin.join(' '));
				equal(response.header('access-control-allow-origin'), undefined);
			}
			const code = await at.user().code();
			const form = encode({ grant_type: 'authorization_code', code, ...at.viewer });
			equal((await at.token(form, 'Origin', 'https://evil.example')).status, 200);
		},
		['raw headers']
	),
	hostCase('TK-02 responds on paths with and without a trailing slash, without a redirect', async (at) => {
		const { client_id, client_secret } = at.viewer;
		for (const path of ['/ws/oauth2/token/', '/ws/oauth2/token']) {
			const response = await at.post(path, { ...noGrant, client_id, client_secret });
			equal([response.status, response.error], [400, 'invalid_grant'], path);
		}
		for (const path of ['/ws/oauth2/auth/', '/ws/oauth2/auth']) equal((await at.get(path)).status, 400, path);
		for (const path of ['/ws/oauth2/revoke', '/ws/oauth2/revoke/']) {
			const response = await at.get(`${path}?token=x&client_id=character-viewer`);
			equal([response.status, response.error, response.header('location')], [400, 'invalid_token', undefined], path);
		}
		const { access_token } = await at.user().tokens();
		for (const path of ['/ws/v2.0/ratelimits', '/ws/v2.0/ratelimits/', '/ws/v2.0/character/Mara%20Vell/']) {
			equal((await at.get(`${path}?access_token=${access_token}`)).status, 200, path);
		}
		for (const path of ['/ratelimiting', '/ratelimiting/']) equal((await at.get(path)).status, 200, path);
	}),
	hostCase('TK-03 sends 405 with Allow: POST for other methods, in the format of the API', async (at) => {
		for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
			const response = await at.send({ method, target: '/ws/oauth2/token/' });
			equal([response.status, response.header('allow'), response.error], [405, 'POST', 'method_not_allowed'], method);
		}
		const head = await at.send({ method: 'HEAD', target: '/ws/oauth2/token/' });
		equal([head.status, head.header('allow'), head.text], [405, 'POST', '']);
	}),
	hostCase('TK-03 ignores credentials and fields in the query of a POST', async (at) => {
		const code = await at.user().code();
		const form = encode({ grant_type: 'authorization_code', code, ...at.viewer });
		const response = await at.post(`/ws/oauth2/token/?${form}`, '');
		equal([response.status, response.error], [400, 'invalid_request']);
		equal((await at.token(form)).status, 200, 'the code was left alone');
	}),
	testCase('TK-03 rejects a missing or unknown grant_type', async (at) => {
		const { client_id, client_secret } = at.viewer;
		for (const grant_type of [undefined, '']) {
			equal((await at.token({ grant_type, client_id, client_secret })).error, 'invalid_request');
		}
		for (const grant_type of ['password', 'client_credentials', 'Authorization_Code', 'REFRESH_TOKEN', '__proto__']) {
			const response = await at.token({ grant_type, client_id, client_secret });
			equal([response.status, response.error], [400, 'unsupported_grant_type'], grant_type);
			equal(await at.failedCheck(response), 'token.grant_type_supported');
		}
	}),
	testCase('TK-03 rejects a missing field of a grant', async (at) => {
		const { client_id, client_secret, redirect_uri } = at.viewer;
		const wrong: Pairs[] = [
			{ grant_type: 'authorization_code', client_id, client_secret, redirect_uri },
			{ grant_type: 'refresh_token', client_id, client_secret },
			{ ...noGrant, client_secret }
		];
		for (const fields of wrong) {
			const response = await at.token(fields);
			equal([response.status, response.error], [400, 'invalid_request'], JSON.stringify(fields));
		}
	}),
	hostCase('TK-04 rejects other content types and names the right one', async (at) => {
		const { client_id, client_secret } = at.viewer;
		const body = encode({ ...noGrant, client_id, client_secret });
		const types = [
			[],
			['Content-Type', 'application/json'],
			['Content-Type', 'text/plain'],
			['Content-Type', ''],
			['Content-Type', 'multipart/form-data'],
			['Content-Type', 'multipart/form-data; boundary=x'],
			['Content-Type', 'application/x-www-form-urlencodedx'],
			['Content-Type', 'application/x-www-form-urlencoded', 'Content-Type', 'application/json']
		];
		for (const headers of types) {
			const response = await at.send({ method: 'POST', target: '/ws/oauth2/token/', headers, body });
			equal([response.status, response.error], [400, 'invalid_request'], headers.join(' '));
			matches(response.text, 'application/x-www-form-urlencoded');
		}
		const latin = ['Content-Type', 'application/x-www-form-urlencoded; charset=iso-8859-1'];
		const response = await at.send({
			method: 'POST',
			target: '/ws/oauth2/token/',
			headers: latin,
			body: `${body}&a=é`
		});
		equal([response.status, response.error], [400, 'invalid_request'], 'bytes that are not ASCII');
	}),
	hostCase(
		'TK-04 accepts upper case, a UTF-8 charset, any charset with ASCII only, and a body that begins with &',
		async (at) => {
			const { client_id, client_secret } = at.viewer;
			const body = `&${encode({ ...noGrant, client_id, client_secret })}&`;
			const types = [
				'APPLICATION/X-WWW-FORM-URLENCODED',
				'application/x-www-form-urlencoded; charset=utf-8',
				'application/x-www-form-urlencoded;charset="UTF-8"',
				'application/x-www-form-urlencoded; charset=ISO-8859-1',
				'application/x-www-form-urlencoded; charset=us-ascii'
			];
			for (const type of types) {
				const sent = { method: 'POST', target: '/ws/oauth2/token/', headers: ['Content-Type', type], body };
				equal((await at.send(sent)).error, 'invalid_grant', type);
			}
		}
	),
	testCase('TK-05 rejects any field that is sent twice, also an unknown one', async (at) => {
		const code = await at.user().code();
		const form = encode({ grant_type: 'authorization_code', code, ...at.viewer });
		for (const name of ['code', 'client_id', 'client_secret', 'redirect_uri', 'grant_type']) {
			const value = new URLSearchParams(form).get(name) ?? '';
			const response = await at.token(`${form}&${encode({ [name]: value })}`);
			equal([response.status, response.error], [400, 'invalid_request'], name);
			equal(await at.failedCheck(response), 'token.form_is_valid');
		}
		equal((await at.token(`${form}&foo=1&foo=2`)).error, 'invalid_request', 'foo');
		equal((await at.token(`${form}&%63ode=x`)).error, 'invalid_request', 'an encoded name');
		equal((await at.token(form)).status, 200, 'the code was left alone');
	}),
	testCase('TK-05 does not read code[] and code.x as code', async (at) => {
		const { client_id, client_secret, redirect_uri } = at.viewer;
		const code = await at.user().code();
		for (const name of ['code[]', 'code.x', 'code[0]', 'Code', ' code']) {
			const fields = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri, [name]: code };
			equal((await at.token(fields)).error, 'invalid_request', name);
		}
		equal((await at.exchange(code)).status, 200);
	}),
	testCase('TK-05 rejects credentials in a header in strict mode, and always beside others', async (at) => {
		const { client_id, client_secret } = at.viewer;
		const basic = ['Authorization', `Basic ${btoa(`${client_id}:${client_secret}`)}`];
		const other = ['Authorization', `Basic ${btoa(`pocket-companion:companion-secret`)}`];
		equal((await at.token({ ...noGrant, client_id, client_secret }, ...other)).error, 'invalid_request', 'both');
		equal((await at.token(noGrant, ...basic)).error, 'invalid_request', 'strict');
		await at.changeSettings({ strict: false });
		equal((await at.token(noGrant, ...basic)).error, 'invalid_grant', 'lenient');
		const wrong = await at.token(noGrant, 'Authorization', `Basic ${btoa(`${client_id}:wrong`)}`);
		matches(wrong.header('www-authenticate'), /^Basic realm=/, 'the challenge');
		equal((await at.token({ ...noGrant, client_id, client_secret }, ...basic)).error, 'invalid_request', 'both');
		equal((await at.token({ ...noGrant, client_id }, ...other)).error, 'invalid_request', 'another client_id');
	}),
	testCase(
		'TK-06 responds 401 alike to an unknown client and to a wrong or foreign secret, and to both without a secret',
		async (at) => {
			const other = await at.register('web', ['https://other.example/cb']);
			const { client_id, client_secret } = at.viewer;
			const wrong: [string, string | undefined][] = [
				['unknown', client_secret],
				['__proto__', 'x'],
				['constructor', ''],
				['unknown', undefined],
				[client_id, 'wrong'],
				[client_id, ''],
				[client_id, undefined],
				[client_id, other.client_secret],
				[client_id, `${client_secret} `],
				[client_id, client_secret.toUpperCase()],
				[client_id, client_secret.repeat(500)],
				['é€😀', 'é€😀']
			];
			const texts = { sent: new Set<string>(), missing: new Set<string>() };
			for (const [id, secret] of wrong) {
				const response = await at.token({ ...noGrant, client_id: id, client_secret: secret });
				equal([response.status, response.error], [401, 'invalid_client'], `${id} ${String(secret).slice(0, 40)}`);
				equal(await at.failedCheck(response), 'token.client_authenticated');
				texts[(secret ?? '') === '' ? 'missing' : 'sent'].add(response.text);
			}
			equal([texts.sent.size, texts.missing.size], [1, 1], 'one text for all');
		}
	),
	hostCase('HT-05 sends 413 for a token request over 16 KiB, in the format of the API', async (at) => {
		const form = encode({ ...noGrant, client_id: 'x', padding: 'x'.repeat(17_000) });
		for (const type of ['json', 'xml']) {
			const response = await at.token(form, 'Accept', `application/${type}`);
			equal(response.status, 413);
			matches(response.header('content-type'), type);
			matches(response.text, 'payload_too_large');
		}
		equal((await at.token(form.slice(0, 15_000))).error, 'invalid_client', 'below the limit');
	}),
	hostCase('HT-05 rejects a request with too many fields', async (at) => {
		const many = Array.from({ length: 1500 }, (_, at) => `f${at}=1`).join('&');
		equal((await at.token(many)).error, 'invalid_request');
	}),
	hostCase('HT-09 rejects invalid UTF-8, broken escapes, UTF-16 and gzip', async (at) => {
		const { client_id, client_secret } = at.viewer;
		const rest = encode({ ...noGrant, client_id });
		const broken = ['%FF', '%C0%AF', '%zz', '%', '%E2%82', '%ED%A0%80', '%F5%80%80%80'];
		for (const secret of broken) {
			const response = await at.token(`${rest}&client_secret=${secret}`);
			equal([response.status, response.error], [400, 'invalid_request'], secret);
		}
		equal((await at.token(`${rest}&client_secret=%00`)).error, 'invalid_client', 'NUL');
		const raw = new Uint8Array([...new TextEncoder().encode(`${rest}&client_secret=`), 0xff, 0xfe]);
		const utf16 = Uint8Array.from([...rest].flatMap((letter) => [letter.charCodeAt(0), 0]));
		for (const body of [raw, utf16]) {
			const response = await at.send({ method: 'POST', target: '/ws/oauth2/token/', headers: formType, body });
			ok(response.status === 400, `${response.status}`);
		}
		const packed = await at.token(encode({ ...noGrant, client_id, client_secret }), 'Content-Encoding', 'gzip');
		ok(packed.status === 415 || packed.status === 400, `gzip: ${packed.status}`);
	})
];
