import { describe, expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import type { ForeignFinding, HarContent } from '#evidence/har/har-reading.ts';
import { exampleHar } from '#features/traffic/example-har.ts';
import { foreignMessages } from '#features/traffic/foreign-messages.ts';
import { findingText, foreignMoment } from '#features/traffic/share-finding.ts';
import { foreignValues, markedValues, originOf, timelineRows } from '#features/traffic/foreign-values.ts';
import { createMomentLink, readMomentLink } from '#features/inspector/moment/moment-link.ts';
import { requestFor } from '#features/traffic/sandbox-request.ts';
import { mistakesOf } from '#features/request-builder/mistakes/mistakes.ts';

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

test('each request that reproduces a finding has a mistake of the builder', () => {
	const ids = [
		...['request.state_fresh', 'request.challenge_fresh', 'exchange.once', 'call.header', 'signout.revoke'],
		...['cause.redirect_uri', 'cause.redirect_uri_token', 'cause.pkce', 'cause.client', 'cause.missing_scope'],
		...['cause.code_used', 'cause.no_token', 'cause.state_lost', 'file.renewed', 'file.response_type']
	];
	for (const id of ids) {
		const start = requestFor({ id });
		expect(start, id).toBeDefined();
		if (start === undefined) continue;
		expect(
			mistakesOf(start.kind, 'specification').map((mistake) => mistake.id),
			id
		).toContain(start.mistake);
	}
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
