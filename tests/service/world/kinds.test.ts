import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { dialectOf } from '#api/dialect.ts';
import { documentOfSandbox } from '#service/openapi/sandbox-document.ts';
import { openApi } from '#service/openapi/document.ts';
import { readWorld } from '#service/world/read-world.ts';
import { KindUser, worldWithKinds } from '../../conformance/kinds.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import { createTestService } from '../test-service.ts';

const sources = { digest: (text: string) => text };
const payment = { to: 'Bakery', amount: 3.5 };

async function inWorld() {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.controlled('PUT', 'world', worldWithKinds);
	return { tested, at };
}

/** The mistakes of a world with another first kind. */
function mistakesOf(kind: object, ...more: readonly object[]): string[] {
	const file = { ...worldWithKinds, kinds: [{ ...worldWithKinds.kinds[0], ...kind }, ...more] };
	try {
		readWorld(JSON.stringify(file, undefined, '\t'), sources);
		return [];
	} catch (fault) {
		return String(fault)
			.split('\n')
			.map((line) => line.trim().replace(/^WorldError: /, ''));
	}
}

test('a kind has the limit of the specification, costs of one request, and writes with a permission', () => {
	const { kinds, lists } = readWorld(worldWithKinds, sources);
	expect(kinds.map(({ name, limit, cost, isWritable }) => [name, limit, cost, isWritable])).toEqual([
		['payments', 40, { list: 2, item: 1, write: 5 }, true],
		['notes', 10_000, { list: 1, item: 1, write: 1 }, false]
	]);
	const plain = { ...worldWithKinds, kinds: [{ ...worldWithKinds.kinds[1], limit: undefined }] };
	expect(readWorld(JSON.parse(JSON.stringify(plain)), sources).kinds[0]?.limit).toBe(600);
	expect(lists.map(({ kind, owner, size }) => [kind, owner, size])).toEqual([
		['payments', 'player-one', 3],
		['payments', 'player-two', 1],
		['notes', 'player-one', 1]
	]);
	expect(readWorld({ format: 'tollgate-world', version: 1 }, sources)).toMatchObject({ kinds: [], lists: [] });
});

test('mistakes of kinds are named with their lines', () => {
	const record = { id: 'p-1', owner: 'player-one', fields: { to: 'a', amount: 1 } };
	const cases: readonly (readonly [object, RegExp])[] = [
		[{ name: 'Payments' }, /^line \d+, kinds\.0\.name \(Payments\): use 1 to 24 of the characters a-z/],
		[{ name: 'ratelimits' }, /kinds\.0\.name \(ratelimits\): the service has this name itself/],
		[{ name: 'cards' }, /kinds\.0\.name \(cards\): there is no permission "cards_read"\. Add it to permissions/],
		[{ fields: {} }, /kinds\.0\.fields \(payments\): declare at least one field/],
		[{ fields: { id: { type: 'text' } } }, /a field cannot be named id, page, per_page, access_token/],
		[
			{ fields: { to: { type: 'money' } } },
			/kinds\.0\.fields\.to\.type.*: use one of text, integer, number, boolean, date/
		],
		[
			{ fields: { to: { type: 'date', values: ['a'] } }, records: [] },
			/\.to\.values.*: only a text can have a list of values/
		],
		[{ fields: { to: { type: 'integer', default: 1.5 } }, records: [] }, /\.to\.default.*: use a whole number/],
		[{ limit: 0 }, /kinds\.0\.limit.*: enter a whole number from 1 to 1,000,000/],
		[{ cost: { list: 0 } }, /kinds\.0\.cost\.list.*: enter a whole number from 1 to 1,000/],
		[{ records: [record, record] }, /kinds\.0\.records\.1\.id.*: "p-1" occurs twice/],
		[{ records: [{ ...record, owner: 'unknown' }] }, /records\.0\.owner.*: there is no account "unknown"/],
		[{ records: [{ ...record, fields: { amount: 'one' } }] }, /records\.0\.fields\.amount.*: use a number/],
		[{ records: [{ ...record, fields: { iban: 'x' } }] }, /records\.0\.fields\.iban.*: the kind has no such field/],
		[{ records: [{ ...record, fields: { currency: 'USD' } }] }, /records\.0\.fields\.currency.*: use one of EUR, DKK/],
		[{ unknown: true }, /kinds\.0\.unknown.*: there is no such field/]
	];
	for (const [kind, reason] of cases) {
		const [first = ''] = mistakesOf(kind);
		expect(first).toMatch(reason);
		expect(first).toMatch(/^line \d+, /);
	}
	expect(mistakesOf({}, worldWithKinds.kinds[0])[0]).toMatch(/kinds\.1\.name.*"payments" occurs twice/);
	expect(mistakesOf({}, ...Array.from({ length: 8 }, () => worldWithKinds.kinds[1])).join(' ')).toMatch(
		/A world can have at most 8 kinds|a world can have at most 8 kinds/
	);
	const many = Array.from({ length: 300 }, (_, at) => ({ ...record, id: `p-${at}` }));
	const notes = many.map(({ id, owner }) => ({ id, owner, fields: {} }));
	expect(mistakesOf({ records: many }, { ...worldWithKinds.kinds[1], records: notes })[0]).toMatch(
		/^line \d+, kinds: there are 600 records. Use at most 500/
	);
});

test('a snapshot restores written records, and a preset has those of the world', async () => {
	const { tested, at } = await inWorld();
	const user = await KindUser.signIn(at);
	await user.send('POST', 'payments', payment);
	const snapshot = JSON.parse((await at.controlled('GET', 'snapshot')).text);
	await at.controlled('POST', 'reset');
	await at.controlled('PUT', 'snapshot', snapshot);
	expect((await user.get('payments')).text).toContain('Bakery');
	const preset = JSON.parse((await at.controlled('GET', 'preset')).text);
	const made = await Sandbox.create(tested.transport, { preset });
	const records = (await (await KindUser.signIn(made)).get('payments')).text;
	expect(records).toContain('"total":3');
	expect(records).not.toContain('Bakery');
});

test('a new account of the same name does not get the records of the one that was deleted', async () => {
	const { at } = await inWorld();
	await at.controlled('DELETE', 'accounts/player-one');
	await at.controlled('POST', 'accounts', { username: 'player-one', password: 'demo' });
	expect((await (await KindUser.signIn(at)).get('payments')).text).toContain('"total":0');
});

test('a faulty write stores nothing, and an unblocked address can write again', async () => {
	const { at } = await inWorld();
	const user = await KindUser.signIn(at);
	await at.controlled('POST', 'faults', { endpoint: 'records', kind: 'status', status: 503, times: 1 });
	expect((await user.send('POST', 'payments', payment)).status).toBe(503);
	await at.controlled('POST', 'faults', { kind: 'forbidden', endpoint: 'records', times: 1 });
	const forbidden = await user.send('POST', 'payments', payment);
	expect([forbidden.status, forbidden.header('www-authenticate')]).toEqual([
		403,
		'OAuth realm="Tollgate", error="insufficient_scope", scope="payments_write"'
	]);
	expect((await user.get('payments')).text).toContain('"total":3');
	await at.controlled('PATCH', 'settings', { limits: { blacklist_after_refused: 2 } });
	for (let sent = 0; sent < 7; sent++) await user.send('POST', 'payments', payment);
	const { blacklist } = JSON.parse((await at.controlled('GET', 'blacklist')).text);
	expect(blacklist[0].reason).toContain('/ws/v2.0/payments/*');
	await at.controlled('DELETE', `blacklist/${blacklist[0].address}`);
	expect((await user.send('POST', 'payments', payment)).limit.remaining).toBe(35);
	expect((await at.controlled('GET', 'events')).text).toContain('"pattern":"/ws/v2.0/payments/*"');
});

test('a token that an application has for itself reads no records', async () => {
	const { at } = await inWorld();
	const [read, ...others] = worldWithKinds.permissions;
	const open = { ...read, of: 'everybody', opens: ['race'] };
	await at.controlled('PUT', 'world', { ...worldWithKinds, permissions: [open, ...others] });
	await at.controlled('PATCH', 'settings', { dialect: 'standard' });
	const sent = { grant_type: 'client_credentials', scope: 'payments_read', ...at.viewer, redirect_uri: undefined };
	const { access_token } = (await at.token(sent)).tokens;
	const response = await at.get('/ws/v2.0/payments', 'Authorization', `Bearer ${access_token}`);
	expect([response.status, response.error]).toEqual([403, 'insufficient_scope']);
	expect(response.text).toContain('payments belong to users');
});

test('the API description has the paths, filters and fields of each kind, and those of no other world', async () => {
	const { at } = await inWorld();
	const { kinds } = JSON.parse((await at.get('/control/world')).text);
	const dialect = dialectOf({ dialect: 'specification', strict: true });
	const text = documentOfSandbox(JSON.stringify(openApi), at.base_url, dialect, kinds);
	const document = JSON.parse(text);
	expect((await new Validator().validate(structuredClone(document))).errors ?? []).toEqual([]);
	expect(text).not.toMatch(/record_kind|<kind>/);
	const paths: Record<string, object> = document.paths;
	expect(Object.keys(paths).filter((path) => /payments|notes/.test(path))).toEqual([
		'/ws/v2.0/payments',
		'/ws/v2.0/notes',
		'/ws/v2.0/payments/{record_id}',
		'/ws/v2.0/notes/{record_id}'
	]);
	expect(Object.keys(paths['/ws/v2.0/notes'] ?? {})).toEqual(['get']);
	const { get, post } = document.paths['/ws/v2.0/payments'];
	expect(get.parameters.map(({ name }: { name: string }) => name).slice(0, 4)).toEqual([
		'page',
		'per_page',
		'to',
		'amount'
	]);
	expect(post.requestBody.content['application/json'].schema.required).toEqual(['to', 'amount']);
	const user = await KindUser.signIn(at);
	const schemaOf = (operation: typeof get, status: number) =>
		operation.responses[status].content['application/json'].schema;
	const validate = (schema: object) => new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
	expect(validate(schemaOf(get, 200))(JSON.parse((await user.get('payments')).text))).toBe(true);
	const created = await user.send('POST', 'payments', payment);
	expect(validate(schemaOf(post, 201))(JSON.parse(created.text))).toBe(true);
	expect(documentOfSandbox(JSON.stringify(openApi), at.base_url, dialect)).not.toContain('listRecords');
});
