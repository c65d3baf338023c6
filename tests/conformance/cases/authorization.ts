import { equal, matches, ok } from '../assert.ts';
import { testCase, hostCase, type Case } from '../case.ts';
import { codeOf, queryOf } from '../user-agent.ts';
import type { TestResponse } from '../response.ts';
import { isPageInPlace } from './redirect-uris.ts';

/** AZ-05, AZ-07, AZ-09 to AZ-11: the other parameters of an authorization request. */
export const authorizationCases: Case[] = [
	testCase('AZ-05 reports a missing or wrong response_type by redirect, with state', async (at) => {
		const missing = await at.user().authorize(at.viewer, { response_type: undefined, state: 's' });
		isErrorRedirect(missing, at.viewer.redirect_uri, 'invalid_request', 's');
		for (const response_type of ['token', 'code token', 'CODE', 'id_token']) {
			const response = await at.user().authorize(at.viewer, { response_type, state: 's' });
			isErrorRedirect(response, at.viewer.redirect_uri, 'unsupported_response_type', 's');
			equal(await at.failedCheck(response), 'auth.response_type_is_code');
		}
	}),
	testCase('AZ-05 reports a missing, unknown or malformed scope by redirect; there is no default scope', async (at) => {
		for (const scope of [undefined, '']) {
			const response = await at.user().authorize(at.viewer, { scope, state: 's' });
			isErrorRedirect(response, at.viewer.redirect_uri, 'invalid_request', 's');
		}
		const wrong = [
			'unknown',
			'character_read unknown',
			'CHARACTER_READ',
			'__proto__',
			'constructor',
			'character_readall',
			'character_read "x"',
			'character_read\\',
			'character_read\u0000',
			'character_read\tlocation_read',
			'é',
			'x'.repeat(5000)
		];
		for (const scope of wrong) {
			const response = await at.user().authorize(at.viewer, { scope, state: 's' });
			isErrorRedirect(response, at.viewer.redirect_uri, 'invalid_scope', 's');
		}
	}),
	testCase('AZ-05 treats scope as a set: order and repetition have no effect', async (at) => {
		const scope = 'location_read character_read location_read';
		const { scope: granted } = await at.user().tokens(at.viewer, { scope });
		equal(granted.split(' ').sort(), ['character_read', 'location_read']);
	}),
	testCase('AZ-07 reports a parameter sent twice by redirect, without state if state was sent twice', async (at) => {
		const rest = queryOf(at.viewer, { state: 's', access_type: 'online' });
		for (const name of ['scope', 'response_type', 'access_type', 'renew_previously_granted', 'code_challenge']) {
			const value = name === 'renew_previously_granted' ? 'yes&renew_previously_granted=yes' : 'x&code_challenge=x';
			const response = await at.get(`/ws/oauth2/auth/?${rest}&${name}=${value}`);
			isErrorRedirect(response, at.viewer.redirect_uri, 'invalid_request', 's');
		}
		const state = await at.get(`/ws/oauth2/auth/?${rest}&state=t`);
		isErrorRedirect(state, at.viewer.redirect_uri, 'invalid_request', undefined);
		equal(await at.failedCheck(state), 'auth.parameters_are_valid');
	}),
	testCase('AZ-07 ignores unknown parameters and treats empty ones as absent', async (at) => {
		const response = await at.user().allow(at.viewer, { foo: 'bar', access_type: '', renew_previously_granted: '' });
		equal((await at.exchange(codeOf(response))).tokens.refresh_token, undefined, 'online is the default');
	}),
	hostCase('AZ-07 HT-05 shows a 400 page for more than 100 parameters', async (at) => {
		const many = Array.from({ length: 120 }, (_, at) => `p${at}=1`).join('&');
		isPageInPlace(await at.get(`/ws/oauth2/auth/?${queryOf(at.viewer)}&${many}`), 'many parameters');
	}),
	testCase('AZ-09 reports an unknown access_type by redirect', async (at) => {
		for (const access_type of ['OFFLINE', 'x', 'offline ']) {
			const response = await at.user().authorize(at.viewer, { access_type, state: 's' });
			isErrorRedirect(response, at.viewer.redirect_uri, 'invalid_request', 's');
		}
	}),
	testCase('AZ-09 accepts access_type=offline from an installed application', async (at) => {
		const { refresh_token } = await at.user().tokens(at.companion, { access_type: 'offline' });
		ok(refresh_token !== undefined, 'refresh token');
	}),
	testCase('AZ-09 includes earlier permissions for an exact yes only', async (at) => {
		const user = at.user();
		await user.tokens(at.viewer, { scope: 'character_read location_read' });
		for (const renew_previously_granted of ['no', 'YES', 'true', '1', ' yes']) {
			const { scope } = await user.tokens(at.viewer, { scope: 'character_read', renew_previously_granted });
			equal(scope, 'character_read', renew_previously_granted);
		}
		const { scope } = await user.tokens(at.viewer, { scope: 'character_read', renew_previously_granted: 'yes' });
		equal(scope.split(' ').sort(), ['character_read', 'location_read']);
	}),
	testCase(
		'AZ-10 issues no code for HEAD, prefetches and embedded requests, even without a consent page',
		async (at) => {
			const user = at.user();
			await user.tokens();
			const target = `/ws/oauth2/auth/?${queryOf(at.viewer)}`;
			const head = await at.send({ method: 'HEAD', target, headers: user.cookie() });
			equal([head.status, head.header('location'), head.header('allow')], [405, undefined, 'GET, POST'], 'HEAD');
			const others = [
				['Sec-Purpose', 'prefetch'],
				['Sec-Purpose', 'prefetch;prerender'],
				['Purpose', 'prefetch'],
				['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'no-cors', 'Sec-Fetch-Dest', 'image'],
				['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'iframe'],
				['Accept', 'application/json']
			];
			for (const headers of others) {
				const response = await user.open(target, ...headers);
				equal([response.status, response.header('location')], [200, undefined], headers.join(' '));
			}
			const data = await user.open(`/ws/oauth2/auth/__data.json?${queryOf(at.viewer)}`);
			equal([data.status, data.header('location')], [404, undefined], '__data.json');
			const preview = await at.get(target);
			matches(preview.text, 'name="password"', 'a link preview has no session');
			codeOf(
				await user.open(
					target,
					'Sec-Fetch-Site',
					'cross-site',
					'Sec-Fetch-Mode',
					'navigate',
					'Sec-Fetch-Dest',
					'document'
				)
			);
		},
		['raw headers']
	),
	testCase('AZ-10 issues no code for a POST without a pending request of this browser', async (at) => {
		const user = at.user();
		await user.tokens();
		for (const fields of [queryOf(at.viewer), 'decision=approve', 'interaction=x&decision=approve', '']) {
			const response = await user.post('/ws/oauth2/auth/', fields);
			equal([response.status, response.header('location')], [403, undefined], fields);
		}
		const inQuery = await user.post(`/ws/oauth2/auth/?${queryOf(at.viewer)}`, 'decision=approve');
		equal([inQuery.status, inQuery.header('location')], [403, undefined]);
	}),
	testCase('AZ-11 exchanges a code with an S256 challenge for its verifier only', async (at) => {
		// RFC 7636, appendix B.
		const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
		const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
		const user = at.user();
		const good = await at.exchange(await user.code(at.viewer, pkce), at.viewer, { code_verifier });
		equal(good.status, 200);
		for (const more of [{}, { code_verifier: `${code_verifier}x` }, { code_verifier: pkce.code_challenge }]) {
			const code = await user.code(at.viewer, pkce);
			equal((await at.exchange(code, at.viewer, more)).error, 'invalid_grant');
			equal((await at.exchange(code, at.viewer, { code_verifier })).error, 'invalid_grant', 'the code is used up');
		}
		const downgraded = await at.exchange(await user.code(), at.viewer, { code_verifier });
		equal(downgraded.error, 'invalid_grant', 'a verifier without a challenge');
	}),
	testCase('AZ-11 rejects the method plain and challenges that are not S256', async (at) => {
		const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
		const wrong = [
			{ code_challenge: challenge, code_challenge_method: 'plain' },
			{ code_challenge: challenge },
			{ code_challenge: 'short', code_challenge_method: 'S256' },
			{ code_challenge_method: 'S256' }
		];
		for (const asked of wrong) {
			const response = await at.user().authorize(at.viewer, { ...asked, state: 's' });
			isErrorRedirect(response, at.viewer.redirect_uri, 'invalid_request', 's');
		}
	}),
	testCase('AZ-05 shows an error for the out-of-band URI on a page', async (at) => {
		const response = await at.user().authorize(at.companion, { scope: 'unknown' });
		isPageInPlace(response, 'out-of-band');
		matches(response.text, 'invalid_scope');
	})
];

function isErrorRedirect(response: TestResponse, redirect_uri: string, error: string, state: string | undefined): void {
	ok(response.status === 302 || response.status === 303, `${response.status} ${response.text}`);
	ok(response.location.startsWith(`${redirect_uri}?`), response.location);
	equal(response.parameter('error'), error, 'error');
	ok(response.parameter('error_description') !== undefined, 'error_description');
	equal(response.parameter('state'), state, 'state');
	equal(response.parameter('code'), undefined, 'code');
}
