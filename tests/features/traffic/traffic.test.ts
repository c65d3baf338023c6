import { describe, expect, test } from 'vitest';
import { wordIds } from '#evidence/har/findings/finding-words.ts';
import { readHar } from '#evidence/har/read-har.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { ForeignExchange, ForeignFinding, ForeignRole, HarContent } from '#evidence/har/har-reading.ts';
import { exampleHar } from '#features/traffic/example-har.ts';
import { foreignKind, foreignMessages } from '#features/traffic/foreign-messages.ts';
import { findingText, foreignMoment } from '#features/traffic/share-finding.ts';
import { foreignValues, markedValues, originOf, timelineRows } from '#features/traffic/foreign-values.ts';
import { createMomentLink, readMomentLink } from '#features/inspector/moment/moment-link.ts';
import { dialectOf, requestFor, trialFor } from '#features/traffic/sandbox-request.ts';

const reading = readHar(exampleHar());
if (reading.kind !== 'read') throw new Error(reading.error);
const content: HarContent = reading;
const at = (position: number) => {
	const found = content.exchanges.find((one) => one.position === position);
	if (found === undefined) throw new Error(`No exchange ${position}`);
	return found;
};
const finding: ForeignFinding = {
	id: 'token.refresh_at_expiry',
	title: 'The token is renewed before it expires',
	state: 'failed',
	text: 'api.meridian.example rejected the token.',
	basis: 'response',
	fix: 'Renew it at auth.meridian.example.',
	sections: [],
	exchanges: [at(9).entry.id, at(10).entry.id]
};

describe('the example', () => {
	test('has the roles of a sign-in', () => {
		expect(content.exchanges.map(({ role }) => role)).toEqual([
			'application',
			'authorization',
			'sign_in',
			'authorization',
			'callback',
			'keys',
			'resource',
			'resource',
			'application',
			'authorization',
			'callback',
			'application',
			'authorization',
			'callback'
		]);
	});

	test('shows its two mistakes, and the token request that is missing', () => {
		const failed = content.findings.filter(({ state }) => state === 'failed');
		expect(failed.map(({ id }) => id)).toEqual(['request.challenge_fresh', 'file.renewed']);
		expect(content.gaps[0]?.role).toBe('token');
	});

	test('has none of its secrets after it was read', () => {
		const text = JSON.stringify(content);
		for (const secret of ['f0Qk3WbB7sYhT2nM9aA', 'aut7Gx0pVq2LwZ8c31c', 'correct horse', 'c2lnbmF0dXJl', '81f2c0de'])
			expect(text).not.toContain(secret);
	});
});

test('says where a value of a request comes from', () => {
	expect(originOf('code 1', at(7), content.exchanges)).toBe('from exchange 6');
	expect(originOf('state 1', at(2), content.exchanges)).toBe('from exchange 1');
	expect(originOf('state 1', at(1), content.exchanges)).toBeUndefined();
});

test('lists codes and tokens with their claims and the requests that sent them', () => {
	const [code, token] = foreignValues(content.exchanges);
	expect(code).toMatchObject({ label: 'code 1', issued: { position: 6 }, sent: [{ position: 7 }] });
	expect(token?.issued).toBeUndefined();
	expect(token?.claims).toMatchObject({ iss: 'https://auth.meridian.example' });
	expect(token?.sent.map(({ position }) => position)).toEqual([9, 10]);
});

test('draws the missing token request as faint arrows', () => {
	const gap = {
		after: at(7).entry.id,
		role: 'token',
		text: 'Token request: not in this file',
		needs: 'back channel'
	} as const;
	const arrows = foreignMessages({ ...content, gaps: [gap] });
	const ghosts = arrows.filter(({ isGhost = false }) => isGhost);
	expect(ghosts.map(({ from, to }) => `${from} ${to}`)).toEqual([
		'application authorization',
		'authorization application'
	]);
	expect(arrows.find(({ exchange }) => exchange === at(10).entry.id)?.label).toMatch(/, 30 s later$/);
});

describe('an error without the status of one', () => {
	const sent = (role: ForeignRole, target: string, response: TrafficEntry['response']): ForeignExchange => {
		const found = at(7);
		const entry = { ...found.entry, request: { ...found.entry.request, target }, response, values: [], references: [] };
		return { ...found, entry: { ...entry, endpoint: role }, role, outcome: 'said' };
	};
	const arrowsOf = (exchange: ForeignExchange) =>
		foreignMessages({ ...content, exchanges: [exchange], gaps: [] }).map(({ isRejected }) => isRejected);
	const headers = [['Location', 'https://app.example/callback?error=access_denied']] as const;

	test('in a redirect rejects the request, and its arrow to the client is that of the callback', () => {
		const redirect = sent('authorization', '/authorize?client_id=a', { status: 302, headers, body: '' });
		expect(foreignKind(redirect)).toBe('rejected');
		expect(arrowsOf(redirect)).toEqual([false, false]);
		const callback = sent('callback', '/callback?error=access_denied', { status: 200, headers: [], body: '' });
		expect(foreignKind(callback)).toBe('rejected');
		expect(arrowsOf(callback)).toEqual([true, false]);
	});

	test('in a body rejects the request', () => {
		const body = '{"ok":false,"error":"invalid_code"}';
		const token = sent('token', '/token', { status: 200, headers: [], body });
		expect(foreignKind(token)).toBe('rejected');
		expect(arrowsOf(token)).toEqual([false, true]);
		expect(foreignKind(sent('token', '/token', null))).toBe('no_response');
		expect(foreignKind(sent('token', '/token', { status: 200, headers: [], body: '{}' }))).toBe('accepted');
	});
});

describe('a finding that leaves the browser', () => {
	test('has no host as text', () => {
		const text = findingText(finding, content);
		expect(text).toContain('GET /v1/accounts');
		expect(text).not.toMatch(/meridian|fabrikam/);
	});

	test('has no host as a moment, which a link contains and whose values can be followed', async () => {
		const moment = foreignMoment(finding, content);
		const link = await createMomentLink('https://tollgate.example', moment);
		expect(await readMomentLink(new URL(link).hash)).toEqual(moment);
		expect(JSON.stringify(moment)).not.toMatch(/meridian|fabrikam/);
		expect(moment.entries).toHaveLength(2);
		expect(moment.entries[0]?.references.length).toBeGreaterThan(0);
	});
});

describe('the request that reproduces a finding', () => {
	const [authorization, , , , , , , call] = content.exchanges;
	const token = { ...at(2), role: 'token' as const };
	const of = (id: string, exchange = at(2), text = '') =>
		requestFor({ id, text, exchanges: [exchange.entry.id] }, [exchange])?.mistake;

	test('has the same mistake, in the dialect of the standards', () => {
		expect(dialectOf(content.exchanges)).toBe('standard');
		const found = {
			'cause.redirect_uri': of('cause.redirect_uri'),
			'cause.redirect_scheme': of('cause.redirect_scheme'),
			'cause.client': of('cause.client', authorization),
			'cause.client at the token endpoint': of('cause.client', token),
			'cause.scope': of('cause.scope'),
			'cause.redirect_uri_token': of('cause.redirect_uri_token'),
			'cause.pkce': of('cause.pkce'),
			'cause.pkce without one': of('cause.pkce', token, 'The token request has no code_verifier.'),
			'cause.code_used': of('cause.code_used'),
			'file.pkce': of('file.pkce'),
			'file.renewed': of('file.renewed', call),
			'cause.no_token': of('cause.no_token', call)
		};
		expect(found).toEqual({
			'cause.redirect_uri': 'redirect_slash',
			'cause.redirect_scheme': 'redirect_scheme',
			'cause.client': 'unknown_client',
			'cause.client at the token endpoint': 'secret_of_other',
			'cause.scope': 'unknown_scope',
			'cause.redirect_uri_token': 'other_redirect_uri',
			'cause.pkce': 'wrong_verifier',
			'cause.pkce without one': 'missing_verifier',
			'cause.code_used': 'code_twice',
			'file.pkce': 'plain_challenge',
			'file.renewed': 'expired_token',
			'cause.no_token': 'missing_token'
		});
	});

	test('is not there where the builder has no such mistake, or its dialect does not', () => {
		const without = wordIds.filter(
			(id) => id.startsWith('cause.') && of(id) === undefined && of(id, token) === undefined
		);
		expect(without).toEqual(
			expect.arrayContaining(['cause.cookie', 'cause.clock', 'cause.session', 'cause.cors', 'cause.grant'])
		);
		expect(without.length).toBe(wordIds.filter((id) => id.startsWith('cause.')).length - 8);
		expect(of('call.header')).toBeUndefined();
		const headers: [string, string][] = [['Authorization', 'OAuth [removed]']];
		const own = { ...at(9), entry: { ...at(9).entry, request: { ...at(9).entry.request, headers } } };
		expect([dialectOf([own]), of('call.header', own)]).toEqual(['specification', 'token_in_query']);
	});

	test('is opened at the simulated provider of the file, unless the provider accepts it', async () => {
		const trial = (id: string, host: string) => {
			const exchanges = [{ ...at(2), role: 'authorization' as const, to: 'authorization' as const, host }];
			return trialFor({ id, text: '', exchanges: [at(2).entry.id] }, exchanges);
		};
		expect(await trial('cause.redirect_uri', 'auth.meridian.example')).toMatchObject({ speaks: 'standard' });
		expect(await trial('cause.redirect_uri', 'accounts.google.com')).toEqual({
			...{ kind: 'authorization', mistake: 'redirect_slash', speaks: 'google' }
		});
		// The path of a redirect URI may continue the registered one.
		expect(await trial('cause.redirect_uri', 'github.com')).toBeUndefined();
		expect(await trial('cause.redirect_scheme', 'github.com')).toMatchObject({ speaks: 'github' });
		expect(await trial('cause.redirect_scheme', 'acme.okta.com')).toMatchObject({ speaks: 'okta' });
	});
});

test('puts the exchanges of the sandbox between those of the file by time, and names a new day', () => {
	const [first, second] = [at(2), at(5)];
	const begin = second.entry.at - second.entry.duration;
	const own = [
		{ ...first.entry, id: 'own 1', at: begin - 1 },
		{ ...first.entry, id: 'own 2', at: begin + 86_400_000 }
	];
	const ids = (source: 'all' | 'own' | 'file') =>
		timelineRows([first, second], own, source).map(({ entry, exchange, day }) => [
			entry.id,
			exchange !== undefined,
			day
		]);
	expect(ids('all')).toEqual([
		['file-2', true, false],
		['own 1', false, false],
		['file-5', true, false],
		['own 2', false, true]
	]);
	expect(ids('own').map(([id]) => id)).toEqual(['own 1', 'own 2']);
	expect(ids('file').map(([id]) => id)).toEqual(['file-2', 'file-5']);
});

test('marks the names of removed values', () => {
	expect(markedValues('Bearer [access token 1]; sid=[removed] [x]')).toEqual([
		{ text: 'Bearer ', isValue: false },
		{ text: '[access token 1]', isValue: true },
		{ text: '; sid=', isValue: false },
		{ text: '[removed]', isValue: true },
		{ text: ' [x]', isValue: false }
	]);
});
