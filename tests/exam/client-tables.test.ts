import { expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { goodClients, rowsOf, wrongClients } from './client-tables.ts';

it('has 40 good clients in seven languages, each in five orders', () => {
	expect(goodClients.length).toBeGreaterThanOrEqual(40);
	expect(new Set(goodClients.map(({ language }) => language)).size).toBeGreaterThanOrEqual(7);
	expect(goodClients.filter(({ seeds }) => seeds < 5)).toEqual([]);
	const names = goodClients.map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	const kinds = [
		/pushed requests/,
		/DPoP with a nonce/,
		/private_key_jwt/,
		/device/,
		/token exchange/,
		/several processes/
	];
	for (const kind of [...kinds, /BFF/, /no refresh for a minute/, /full jitter/, /MCP/])
		expect(names).toContainEqual(expect.stringMatching(kind));
});

it('has 80 wrong clients, for each rule one but for those that no client can break here', () => {
	const failing = wrongClients.filter(({ verdict }) => verdict === 'failed');
	expect(failing.length).toBeGreaterThanOrEqual(80);
	const named = new Set(wrongClients.map(({ rule }) => rule));
	// discovering-client.ts has the wrong clients of three, paced.test.ts of `limit.paced`, two-sign-ins.test.ts of `request.nonce_fresh`.
	const discovering = ['request.metadata_issuer', 'exchange.resource_same', 'exchange.issuer_credentials'];
	const elsewhere = [...discovering, 'limit.paced', 'request.nonce_fresh'];
	expect(allRules.flatMap(({ id }) => (named.has(id) || elsewhere.includes(id) ? [] : id))).toEqual([]);
});

it('has 80 wrong clients whose rule makes the exit code 1 without an option', () => {
	// The default of --fail-on.
	const severe = new Set(allRules.flatMap(({ id, severity = 3 }) => (severity <= 2 ? id : [])));
	const failing = wrongClients.filter(({ verdict, rule }) => verdict === 'failed' && severe.has(rule));
	expect(failing.length).toBeGreaterThanOrEqual(80);
});

// The nightly tests examine all of them.
it.each(rowsOf(goodClients, ({ way }) => way === 'log').filter(({ seed }) => seed === 2))(
	'finds nothing wrong: $name',
	async ({ judge, seed }) => judge?.(seed)
);
