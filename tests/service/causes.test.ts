import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { CauseOf, CheckId } from '#api/checks.ts';
import { traceLine, trafficEntry, type TraceLine } from '#api/control/traffic.ts';
import type { TestResponse } from '../conformance/response.ts';
import { formType, type Sandbox } from '../conformance/sandbox.ts';
import { queryOf, type TestUser } from '../conformance/user-agent.ts';
import { createTestService } from './test-service.ts';

const verifier = 'v'.repeat(43);
/** SHA-256 of the verifier, in base64url. */
const challenge = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
const auth = '/ws/oauth2/auth/?';
const characterPath = '/ws/v2.0/character/x';

type Attempt = (at: Sandbox, user: TestUser) => Promise<TestResponse>;

/** One request for each cause, by check. Left out: two requests at the same time, and what only an operator can cause. */
const attempts: { readonly [Id in CheckId]?: Readonly<Partial<Record<CauseOf<Id>, Attempt>>> } = {
	'auth.client_known': {
		missing_parameter: (at) => at.get(auth),
		empty_parameter: (at) => at.get(`${auth}client_id=`),
		duplicate_parameter: (at) => at.get(`${auth}client_id=a&client_id=b`),
		unknown_client: (at) => at.get(`${auth}client_id=a`)
	},
	'auth.redirect_uri_registered': {
		missing_parameter: (at) => at.get(`${auth}client_id=character-viewer`),
		empty_parameter: (at) => at.get(`${auth}client_id=character-viewer&redirect_uri=`),
		duplicate_parameter: (at) => at.get(`${auth}client_id=character-viewer&redirect_uri=a&redirect_uri=b`),
		not_registered: (at) => at.get(`${auth}client_id=character-viewer&redirect_uri=a`)
	},
	'auth.query_is_valid': {
		state_too_long: (at) => at.get(`${auth}state=${'s'.repeat(4097)}`),
		too_many_parameters: (at) => at.get(`${auth}${'a=1&'.repeat(101)}`)
	},
	'auth.parameters_are_valid': {
		duplicate_parameter: (at) => at.get(`${auth}${queryOf(at.viewer)}&scope=x`),
		malformed_parameter: (at) => at.get(`${auth}${queryOf(at.viewer)}&access_type=%`)
	},
	'auth.response_type_is_code': {
		missing_parameter: (_, user) => user.authorize(undefined, { response_type: undefined }),
		unsupported_value: (_, user) => user.authorize(undefined, { response_type: 'token' })
	},
	'auth.scope_known': {
		missing_parameter: (_, user) => user.authorize(undefined, { scope: undefined }),
		malformed_scope: (_, user) => user.authorize(undefined, { scope: 'a"b' }),
		unknown_scope: (_, user) => user.authorize(undefined, { scope: 'everything' })
	},
	'auth.code_challenge_is_s256': {
		missing_challenge: (_, user) => user.authorize(undefined, { code_challenge_method: 'S256' }),
		not_s256: (_, user) => user.authorize(undefined, { ...pkce, code_challenge_method: 'plain' }),
		malformed_challenge: (_, user) => user.authorize(undefined, { ...pkce, code_challenge: 'short' })
	},
	'token.form_is_valid': {
		wrong_content_type: (at) => at.send({ method: 'POST', target: '/ws/oauth2/token/', body: 'a=1' }),
		wrong_charset: (at) => postToken(at, 'a=é', 'Content-Type', `${formType[1]}; charset=latin1`),
		content_encoding: (at) => postToken(at, 'a=1', ...formType, 'Content-Encoding', 'gzip'),
		duplicate_field: (at) => at.token('code=a&code=b'),
		malformed_field: (at) => at.token('code=%'),
		too_many_fields: (at) => at.token('a=1&'.repeat(101))
	},
	'token.client_authenticated': {
		missing_client_id: (at) => at.token({}),
		missing_secret: (at) => at.token({ client_id: 'character-viewer' }),
		wrong_secret: (at) => at.token({ client_id: 'character-viewer', client_secret: 'x' }),
		unknown_client: (at) => at.token({ client_id: 'unknown', client_secret: 'x' }),
		credentials_in_header: (at) => at.token({}, 'Authorization', 'Basic YTpi')
	},
	'token.grant_type_supported': {
		missing_field: (at) => at.token({ ...at.viewer }),
		unknown_grant_type: (at) => at.token({ ...at.viewer, grant_type: 'password' }),
		wrong_letter_case: (at) => at.token({ ...at.viewer, grant_type: 'Refresh_Token' })
	},
	'token.redirect_uri_matches': {
		missing_field: async (at, user) => at.exchange(await user.code(), { ...at.viewer, redirect_uri: '' }),
		different: async (at, user) => at.exchange(await user.code(), { ...at.viewer, redirect_uri: 'https://x.example/' })
	},
	'token.code_known': {
		literal_nothing: (at) => at.exchange('undefined'),
		blank_around: (at) => at.exchange(`${'a'.repeat(43)}\n`),
		decoded_twice: (at, user) => exchangeChanged(at, user, (code) => decodeURIComponent(code)),
		not_decoded: (at, user) => exchangeChanged(at, user, (code) => encodeURIComponent(code)),
		plus_as_space: (at, user) => exchangeChanged(at, user, (code) => code.replaceAll('+', ' ')),
		cut: (at, user) => exchangeChanged(at, user, (code) => code.slice(0, 200)),
		changed: (at, user) => exchangeChanged(at, user, (code) => encodeURI(code))
	},
	'token.refresh_token_known': {
		literal_nothing: (at) => at.refresh('[object Object]'),
		blank_around: (at) => at.refresh(' a')
	},
	'access_token.known': {
		literal_nothing: (at) => at.get(characterPath, 'Authorization', 'OAuth null'),
		blank_around: (at) => at.get(`${characterPath}?access_token=a+`)
	},
	'token.code_not_used': {
		already_used: async (at, user) => {
			const code = await user.code();
			await at.exchange(code);
			return at.exchange(code);
		},
		earlier_exchange_failed: async (at, user) => {
			const code = await user.code();
			await at.exchange(code, { ...at.viewer, redirect_uri: 'https://x.example/' });
			return at.exchange(code);
		}
	},
	'token.code_verifier_matches': {
		missing_verifier: async (at, user) => at.exchange(await user.code(undefined, pkce)),
		unexpected_verifier: async (at, user) => at.exchange(await user.code(), undefined, { code_verifier: verifier }),
		verifier_is_challenge: (at, user) => exchangeWith(at, user, challenge),
		verifier_too_short: (at, user) => exchangeWith(at, user, 'short'),
		wrong_verifier: (at, user) => exchangeWith(at, user, 'w'.repeat(43))
	},
	'token.grant_active': {
		access_revoked: async (at, user) => {
			const code = await user.code();
			await user.revoke();
			return at.exchange(code);
		}
	},
	'token.scope_not_widened': {
		malformed_scope: (at, user) => refreshWith(at, user, 'a"b'),
		not_granted: (at, user) => refreshWith(at, user, 'credits_read')
	},
	'access_token.sent_once': {
		missing_token: (at) => at.get(characterPath),
		sent_twice: (at) => at.get(`${characterPath}?access_token=a`, 'Authorization', 'OAuth a'),
		bearer_scheme: (at) => at.get(characterPath, 'Authorization', 'Bearer a'),
		other_scheme: (at) => at.get(characterPath, 'Authorization', 'Token a'),
		empty_token: (at) => at.get(characterPath, 'Authorization', 'OAuth '),
		malformed_token: (at) => at.get(characterPath, 'Authorization', 'OAuth "a"')
	},
	'rate_limit.not_exceeded': {
		over_limit: async (at) => {
			await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 5 } });
			return at.get(characterPath);
		},
		now_blacklisted: async (at) => {
			await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 1 } });
			return at.get(characterPath);
		}
	},
	'revoke.parameters_present': {
		missing_parameter: (at) => at.get('/ws/oauth2/revoke?client_id=a'),
		duplicate_parameter: (at) => at.get('/ws/oauth2/revoke?client_id=a&client_id=b')
	},
	'character.exists': {
		encoded_twice: (at, user) => readWith(at, user, 'Mara%2520Vell'),
		plus_as_space: (at, user) => readWith(at, user, 'Mara+Vell')
	},
	'service.path_known': {
		other_dialect: (at) => at.get('/.well-known/openid-configuration')
	},
	'interaction.pending_in_this_browser': {
		unknown_interaction: (_, user) => user.post('/ws/oauth2/auth/', { interaction: 'x' }),
		completed: (at, user) => user.openConsent(at.viewer).then((page) => user.decide(page).then(() => user.decide(page)))
	},
	'account.changed': {
		unknown_action: async (_, user) => {
			await user.signIn();
			const page = await user.open('/account');
			return user.post('/account', { csrf_token: page.hidden('csrf_token'), action: 'x' });
		}
	}
};

const cases = Object.entries(attempts).flatMap(([id, byCause]) =>
	Object.entries(byCause).map(([cause, attempt]) => ({ id, cause, attempt }))
);

test.each(cases)('records $id: $cause', async ({ id, cause, attempt }) => {
	const at = await createTestService().sandbox();
	const line = await failedLine(at, await attempt(at, at.user()));
	expect([line?.id, line?.cause]).toEqual([id, cause]);
});

test('records what was sent and what was expected', async () => {
	const at = await createTestService().sandbox();
	const user = at.user();
	const wrong = { ...at.viewer, redirect_uri: 'https://x.example/?access_token=secret&code=another' };
	const line = await failedLine(at, await at.exchange(await user.code(), wrong));
	expect(line).toMatchObject({
		found: 'https://x.example/?access_token=••••&code=••••',
		expected: at.viewer.redirect_uri
	});
	expect(await failedLine(at, await at.get(characterPath, 'Authorization', 'Bearer a'))).toMatchObject({
		found: 'Bearer',
		expected: 'OAuth'
	});
});

test('shows the text that a client sent in place of a value, and labels no value for it', async () => {
	const at = await createTestService().sandbox();
	const response = await at.refresh('undefined');
	expect(await failedLine(at, response)).toMatchObject({ found: 'undefined' });
	const { request, values } = (await at.controlled('GET', `traffic/${response.id}`)).as(trafficEntry);
	expect(request.body).toContain('refresh_token=undefined');
	expect(values.map(({ label }) => label)).toEqual(['client secret 1']);
});

test('records what a passed check compared', async () => {
	const at = await createTestService().sandbox();
	const trace = await traceOf(at, await at.exchange(await at.user().code()));
	const compared = (id: string) => trace.find((line) => line.id === id);
	expect(compared('token.redirect_uri_matches')).toMatchObject({
		outcome: 'passed',
		found: at.viewer.redirect_uri,
		expected: at.viewer.redirect_uri
	});
	expect(compared('token.method_is_post')).toMatchObject({ found: 'POST', expected: 'POST' });
	expect(compared('token.code_not_expired')).toMatchObject({ detail: '600 s left' });
});

test('records the count of a request within the rate limit', async () => {
	const at = await createTestService().sandbox();
	const response = await at.get(characterPath);
	const line = (await traceOf(at, response)).find(({ id }) => id === 'rate_limit.not_exceeded');
	expect(line).toMatchObject({
		outcome: 'passed',
		found: 'request 1 of this window',
		expected: `at most 600 requests until ${response.header('x-ratelimit-resettime')}`
	});
});

test('records the count of a request over the rate limit', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ limits: { character: 0 } });
	const response = await at.get(characterPath);
	expect(await failedLine(at, response)).toMatchObject({
		found: 'request 1 of this window',
		expected: `at most 0 requests until ${response.header('x-ratelimit-resettime')}`
	});
});

test('records the origin of a script beside those that may read responses', async () => {
	const at = await createTestService().sandbox();
	await at.register('web', ['https://client.example/callback']);
	for (const origin of ['https://client.example', 'https://other.example']) {
		const trace = await traceOf(at, await at.get(characterPath, 'Origin', origin));
		expect(trace.find(({ id }) => id === 'cors.origin_compared')).toMatchObject({
			outcome: 'passed',
			found: origin,
			expected: `${new URL(at.viewer.redirect_uri).origin}\nhttps://client.example`
		});
	}
});

test('does not say of a check that injected a fault that none is injected', async () => {
	const at = await createTestService().sandbox();
	await at.controlled('POST', 'faults', { endpoint: 'token', kind: 'delay', delay_ms: 1 });
	const trace = await traceOf(at, await at.exchange(await at.user().code()));
	const line = trace.find(({ id }) => id === 'fault.not_injected');
	expect(line).toMatchObject({ name: 'Faults are applied', outcome: 'passed' });
	expect(line?.detail).toContain('delay of 1 ms');
});

test('keeps no more than 1,000 characters of a value that was compared', async () => {
	const at = await createTestService().sandbox();
	const line = await failedLine(at, await at.token({ ...at.viewer, grant_type: 'refresh_token', refresh_token: 'x' }));
	expect(line?.found).toBeUndefined();
	const long = await failedLine(
		at,
		await at.get(`${auth}client_id=character-viewer&redirect_uri=${'a b '.repeat(900)}`)
	);
	expect(long?.found).toHaveLength(1000);
});

function postToken(at: Sandbox, body: string, ...headers: string[]): Promise<TestResponse> {
	return at.send({ method: 'POST', target: '/ws/oauth2/token/', headers, body });
}

/** Exchanges a hard code that a client changed. */
async function exchangeChanged(at: Sandbox, user: TestUser, change: (code: string) => string): Promise<TestResponse> {
	await at.fault({ endpoint: 'auth', kind: 'hard_code' });
	return at.exchange(change(await user.code()));
}

const exchangeWith = async (at: Sandbox, user: TestUser, code_verifier: string): Promise<TestResponse> =>
	at.exchange(await user.code(undefined, pkce), undefined, { code_verifier });

async function refreshWith(at: Sandbox, user: TestUser, scope: string): Promise<TestResponse> {
	const { refresh_token } = await user.offline();
	return at.refresh(refresh_token, undefined, { scope });
}

async function readWith(at: Sandbox, user: TestUser, name: string): Promise<TestResponse> {
	const { access_token } = await user.tokens();
	return at.get(`/ws/v2.0/character/${name}`, 'Authorization', `OAuth ${access_token}`);
}

const failedLine = async (at: Sandbox, response: TestResponse): Promise<TraceLine | undefined> =>
	(await traceOf(at, response)).find(({ outcome }) => outcome === 'failed');

async function traceOf(at: Sandbox, response: TestResponse): Promise<TraceLine[]> {
	return (await at.controlled('GET', `traffic/${response.id}`)).as(v.object({ trace: v.array(traceLine) })).trace;
}
