import * as v from 'valibot';
import { equal, lacks, matches, ok } from '../assert.ts';
import { hostCase, storeCase, testCase, type Case } from '../case.ts';
import { KindUser, worldWithKinds } from '../kinds.ts';
import type { Sandbox } from '../sandbox.ts';

const item = v.looseObject({ id: v.string() });
const list = v.object({ page: v.number(), per_page: v.number(), total: v.number(), items: v.array(item) });
const inWorld = (run: (at: Sandbox) => Promise<void>) => async (at: Sandbox) => {
	await at.controlled('PUT', 'world', worldWithKinds);
	await run(at);
};
const payment = { to: 'Bakery', amount: 3.5 };

/** RS-06 to RS-09: the kinds of resources that a world declares. */
export const recordCases: Case[] = [
	hostCase(
		'RS-06 lists the records of the account in pages, with links to the others',
		inWorld(async (at) => {
			const user = await KindUser.signIn(at);
			const all = await user.get('payments');
			const { items, ...counts } = all.as(list);
			equal([counts, items.map(({ id }) => id)], [{ page: 1, per_page: 20, total: 3 }, ['p-3', 'p-2', 'p-1']]);
			equal(items[2], { id: 'p-1', to: 'Rent', amount: 900, currency: 'EUR', status: 'booked' });
			const second = await user.get('payments?page=2&per_page=1&amount=12.5');
			equal(
				second.as(list).items.map(({ id }) => id),
				['p-2']
			);
			const page = (number: number) => `<${at.base_url}/ws/v2.0/payments?amount=12.5&page=${number}&per_page=1>`;
			equal(second.header('link'), `${page(1)}; rel="first", ${page(1)}; rel="prev", ${page(2)}; rel="last"`);
			equal((await user.get('payments?page=9')).as(list).items, []);
			const xml = await user.get('payments?per_page=1', 'Accept', 'application/xml');
			matches(
				xml.text,
				'<records><page>1</page><per_page>1</per_page><total>3</total><items><item><id>p-3</id><to>Zoë</to>'
			);
		})
	),
	testCase(
		'RS-06 selects by exact values of declared fields, and rejects every other parameter',
		inWorld(async (at) => {
			const user = await KindUser.signIn(at);
			const found = async (query: string) => (await user.get(`payments?${query}`)).as(list).items.map(({ id }) => id);
			equal(await found('to=Gas%20%26%20co'), ['p-2']);
			equal(await found('urgent=true&amount=12.5&status=booked'), ['p-2']);
			equal(await found('to=Ren'), [], 'not a part of a value');
			equal(await found('to=rent'), [], 'not another letter case');
			equal(await found('currency=%25'), []);
			for (const [query, field] of [
				['owner=player-two', 'owner'],
				['constructor=1', 'constructor'],
				['__proto__=1', '__proto__'],
				['to[]=Rent', 'to[]'],
				['to=a&to=b', 'to'],
				['to=%E0%A4%A', 'to'],
				['amount=many', 'amount'],
				['urgent=1', 'urgent'],
				['due=2026-02-31', 'due'],
				['page=0', 'page'],
				['page=-1', 'page'],
				['page=99999', 'page'],
				['per_page=101', 'per_page'],
				['per_page=', 'per_page'],
				[`to=${'x'.repeat(300)}`, 'to']
			]) {
				const response = await user.get(`payments?${query}`);
				equal([response.status, response.error], [400, 'invalid_request'], query);
				matches(response.text, `"field":"${field}"`);
			}
		})
	),
	testCase(
		'RS-07 never shows the records of another account',
		inWorld(async (at) => {
			const one = await KindUser.signIn(at);
			const two = await KindUser.signIn(at, 'player-two');
			equal((await two.get('payments/p-4')).as(item).to, 'Secret place');
			const foreign = await one.get('payments/p-4');
			const unknown = await one.get('payments/nothing');
			equal([foreign.status, foreign.text], [404, unknown.text]);
			for (const target of [
				'payments',
				'payments?per_page=100',
				'payments/P-4',
				'payments/..%2fplayer-two',
				'payments/p-4%0A',
				'notes/p-4',
				'payments/player-two',
				'payments/payments%20player-two'
			])
				lacks((await one.get(target)).text, 'Secret place');
			await two.send('POST', 'payments', { ...payment, to: 'Secret gift' });
			lacks((await one.get('payments')).text, 'Secret gift');
		})
	),
	testCase(
		'RS-07 rejects tokens without the permission of the kind',
		inWorld(async (at) => {
			const reader = await KindUser.signIn(at, 'player-one', 'payments_read');
			const missing = await reader.send('POST', 'payments', payment);
			equal([missing.status, missing.error], [403, 'insufficient_scope']);
			matches(missing.header('www-authenticate'), 'error="insufficient_scope", scope="payments_write"');
			equal(await at.failedCheck(missing), 'records.scope_granted');
			equal((await reader.get('notes')).status, 403);
			const writer = await KindUser.signIn(at, 'player-one', 'payments_write');
			equal((await writer.get('payments')).status, 403, 'payments_write does not read');
			equal((await at.get('/ws/v2.0/payments')).status, 401);
		})
	),
	hostCase(
		'RS-08 adds a record with the values that the service sets, until a reset',
		inWorld(async (at) => {
			const user = await KindUser.signIn(at);
			const created = await user.send('POST', 'payments', { ...payment, due: '2026-12-24', urgent: false });
			equal(created.status, 201);
			const { id, ...fields } = created.as(item);
			equal(fields, {
				to: 'Bakery',
				amount: 3.5,
				currency: 'EUR',
				status: 'pending',
				due: '2026-12-24',
				urgent: false
			});
			equal(created.header('location'), `${at.base_url}/ws/v2.0/payments/${id}`);
			equal((await user.get(`payments/${id}`)).as(item), { id, ...fields });
			equal((await user.get('payments')).as(list).items[0], { id, ...fields });
			await at.controlled('POST', 'reset');
			equal((await (await KindUser.signIn(at)).get('payments')).as(list).total, 3);
		})
	),
	testCase(
		'RS-08 rejects what the kind does not declare, and stores nothing of it',
		inWorld(async (at) => {
			await at.controlled('PATCH', 'settings', { limits: { window: 1 } });
			const user = await KindUser.signIn(at);
			const wrong: readonly (readonly [unknown, string])[] = [
				[{ amount: 1 }, 'to'],
				[{ to: '', amount: 1 }, 'to'],
				[{ to: 'a' }, 'amount'],
				[{ to: 'a', amount: '1' }, 'amount'],
				[{ to: 'a', amount: null }, 'amount'],
				[{ to: 7, amount: 1 }, 'to'],
				[{ to: 'a\nb', amount: 1 }, 'to'],
				[{ to: 'x'.repeat(201), amount: 1 }, 'to'],
				[{ ...payment, status: 'booked' }, 'status'],
				[{ ...payment, id: 'p-1' }, 'id'],
				[{ ...payment, owner: 'player-two' }, 'owner'],
				[{ ...payment, currency: 'USD' }, 'currency'],
				[{ ...payment, due: 'tomorrow' }, 'due'],
				[{ ...payment, count: 1.5 }, 'count'],
				[{ ...payment, urgent: 'true' }, 'urgent'],
				[{ ...payment, to: ['a'] }, 'to'],
				['{"to":"a","amount":1,"__proto__":1}', '__proto__']
			];
			for (const [body, field] of wrong) {
				await at.advance(2);
				const response = await user.send('POST', 'payments', body);
				equal([response.status, response.error], [400, 'invalid_request'], JSON.stringify(body));
				matches(response.text, `"field":"${field}"`);
			}
			await at.advance(2);
			for (const body of ['', '[]', 'null', '"to"', 'to=a&amount=1', '{"to":'])
				equal((await user.send('POST', 'payments', body)).error, 'invalid_request', body);
			await at.advance(2);
			equal((await user.send('POST', 'payments', 'to=a', 'application/x-www-form-urlencoded')).status, 415);
			equal((await user.send('POST', 'payments', { ...payment, to: 'x'.repeat(9000) })).status, 413);
			await at.advance(2);
			equal((await user.get('payments')).as(list).total, 3);
		})
	),
	storeCase(
		'RS-08 keeps all of 30 parallel writes, and as many as an account can have',
		inWorld(async (at) => {
			await at.controlled('PUT', 'world', withoutLimit);
			const user = await KindUser.signIn(at);
			const write = () => user.send('POST', 'payments', payment);
			const first = await Promise.all(Array.from({ length: 30 }, write));
			equal(new Set(first.map((response) => response.as(item).id)).size, 30);
			equal((await user.get('payments')).as(list).total, 33);
			const rest = await Promise.all(Array.from({ length: 170 }, write));
			equal(rest.filter(({ status }) => status === 201).length, 167);
			const full = rest.find(({ status }) => status !== 201);
			equal([full?.status, full?.error], [409, 'limit_reached']);
			const other = await KindUser.signIn(at, 'player-two');
			equal((await other.send('POST', 'payments', payment)).status, 201, 'another account has its own list');
		})
	),
	testCase(
		'RS-09 counts each kind separately, with its costs',
		inWorld(async (at) => {
			const user = await KindUser.signIn(at);
			const left = async (target: string) => (await user.get(target)).limit.remaining;
			equal([await left('payments/p-1'), await left('payments')], [39, 37]);
			equal((await user.send('POST', 'payments', payment)).limit.remaining, 32);
			equal([await left('notes'), await left('notes')], [9999, 9998]);
			equal((await at.character('x')).limit.remaining, 599, 'the limit of the characters');
			const records = await user.get('ratelimits');
			matches(records.text, '"pattern":"/ws/v2.0/payments/*","limit":40,"remaining":32');
			matches(records.text, '"pattern":"/ws/v2.0/notes/*","limit":10000,"remaining":9998');
			for (let sent = 0; sent < 6; sent++) await user.send('POST', 'payments', payment);
			const over = await user.send('POST', 'payments', payment);
			equal([over.status, over.error], [400, 'rate_limit_exceeded']);
			equal(await left('payments/p-1'), 1, 'a cheaper request is still within the limit');
		})
	),
	hostCase(
		'RS-09 knows the methods of a kind, and no other kind',
		inWorld(async (at) => {
			const user = await KindUser.signIn(at);
			const wrong = await user.send('DELETE', 'payments/p-1', {});
			equal([wrong.status, wrong.header('allow')], [405, 'GET']);
			const put = await user.send('PUT', 'payments', {});
			equal([put.status, put.header('allow')], [405, 'GET, POST']);
			const closed = await user.send('POST', 'notes', { text: 'x' });
			equal([closed.status, closed.header('allow')], [405, 'GET']);
			for (const target of ['accounts', 'Payments', 'payments/p-1/x', 'character', 'constructor'])
				equal((await user.get(target)).status, 404, target);
			await at.controlled('DELETE', 'world');
			const gone = await at.get('/ws/v2.0/payments');
			equal([gone.status, gone.header('x-ratelimit-limit')], [404, undefined]);
			ok((await at.failedCheck(gone)) === 'service.path_known', 'as any other path');
		})
	)
];

const withoutLimit = {
	...worldWithKinds,
	kinds: worldWithKinds.kinds.map((kind) => ({ ...kind, limit: 100_000 }))
};
