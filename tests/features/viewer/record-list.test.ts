import { expect, test } from 'vitest';
import { RecordListModel } from '#features/viewer/record-list.svelte.ts';
import { TestBrowser } from '../../client/test-browser.ts';
import { TestService } from '../../client/test-service.ts';
import { worldWithKinds } from '../../conformance/kinds.ts';

async function open(scope = ['payments_read', 'payments_write']) {
	const service = new TestService(undefined, worldWithKinds);
	const browser = new TestBrowser(service);
	const client = await browser.open();
	const { id } = await browser.signIn(client, { scope, access_type: 'offline' });
	const [payments] = client.world.kinds ?? [];
	if (payments === undefined) throw new Error('the world has no kinds');
	return { service, client, records: new RecordListModel(client, payments, id) };
}

test('a list shows a page of records, those that a filter selects, and what the service says of a wrong value', async () => {
	const { records, client } = await open();
	await records.load();
	expect(records.items?.map(({ id }) => id)).toEqual(['p-3', 'p-2', 'p-1']);
	expect(records.items?.[1]?.texts).toEqual({ to: 'Gas & co', amount: '12.5', status: 'booked', urgent: 'true' });
	records.filter = { field: 'to', value: 'Gas & co' };
	await records.load();
	expect([records.total, records.pathOf(1)]).toEqual([1, '/ws/v2.0/payments?page=1&per_page=5&to=Gas+%26+co']);
	records.filter = { field: 'amount', value: 'many' };
	await records.load();
	expect(records.error?.message).toBe('amount: Use a number.');
	expect(client.resources.tracker.get('/ws/v2.0/payments/*')).toMatchObject({ limit: 40, remaining: 34 });
});

test('a form sends values of the right types, and shows the new record first', async () => {
	const { records, client } = await open();
	void client.settings.update({ credential: 'query' });
	expect(await records.create({ to: 'Bakery', amount: '3.5', urgent: 'true', due: '' }, true)).toBe(true);
	expect(records.created?.texts).toEqual({
		to: 'Bakery',
		amount: '3.5',
		currency: 'EUR',
		status: 'pending',
		urgent: 'true'
	});
	expect([records.total, records.items?.[0]?.id]).toEqual([4, records.created?.id]);
	expect(await records.create({ to: 'Bakery', amount: 'three' }, true)).toBe(false);
	expect([records.error?.message, records.created]).toEqual(['amount: Use a number.', undefined]);
});

test('a write that gets 401 is sent once more with a new token, and creates one record', async () => {
	const { service, records } = await open();
	let rejected = 0;
	service.intercept = ({ method, url }) => {
		const isFirst = method === 'POST' && url.pathname.endsWith('/payments') && rejected++ === 0;
		return isFirst ? Response.json({ error: 'invalid_token' }, { status: 401 }) : undefined;
	};
	expect(await records.create({ to: 'Bakery', amount: '1' }, true)).toBe(true);
	expect(records.total).toBe(4);
	expect([rejected, service.count('/token/')]).toEqual([2, 2]);
});

test('without the permission a write creates nothing', async () => {
	const { records } = await open(['payments_read']);
	expect(await records.create({ to: 'Bakery', amount: '1' }, true)).toBe(false);
	expect(records.error?.code).toBe('insufficient_scope');
});
