import { expect, test } from 'vitest';
import { kindOptions } from '#features/request-builder/builder-link.ts';
import { valueOf } from '#features/request-builder/draft.ts';
import { judge } from '#features/request-builder/mistakes/mistakes.ts';
import { worldWithKinds } from '../../conformance/kinds.ts';
import { choose, edit, Tab } from './builder-tab.ts';

test('builds a page, a filter, one record and a new one of each kind of the world', async () => {
	const tab = new Tab(worldWithKinds);
	const builder = await tab.open();
	const options = () => kindOptions(builder.world, 'specification', builder.recordKind).map(({ label }) => label);
	expect(options()).toEqual(expect.arrayContaining(['Payments', 'One payment', 'New payment']));
	expect(valueOf(builder.drafts.authorization, 'scope')).toBe('payments_read payments_write notes_read');
	await tab.authorize(builder);
	await builder.send();
	builder.choose('records');
	edit(builder, 'status', 'booked');
	edit(builder, 'per_page', '1');
	await builder.send();
	const bodyOf = (): unknown => JSON.parse(builder.result?.responses.at(-1)?.body ?? '');
	expect(bodyOf()).toMatchObject({ per_page: 1, total: 2, items: [{ id: 'p-2' }] });
	builder.choose('record');
	await builder.send();
	expect(bodyOf()).toMatchObject({ to: 'Gas & co' });
	builder.choose('new_record');
	edit(builder, 'urgent', 'true');
	await builder.send();
	expect(bodyOf()).toMatchObject({ amount: 25, urgent: true, currency: 'EUR' });
	edit(builder, 'amount', 'much');
	await builder.send();
	expect(builder.result?.entry?.trace.at(-1)?.id).toBe('records.body_valid');
	builder.chooseRecordKind('notes');
	expect(builder.kind).toBe('records');
	expect(options()).not.toContain('New note');
	builder.save();
	const again = await tab.open();
	expect(again.draft.path).toBe('/ws/v2.0/notes');
	expect(again.recordKind?.name).toBe('notes');
});

test('offers nothing of kinds where the world has none', async () => {
	const builder = await new Tab().open();
	expect(kindOptions(builder.world, 'specification').map(({ value }) => value)).not.toContain('records');
});

test('an application with a key gets a bound token with another permission, for the mistake of a missing one', async () => {
	const tab = new Tab(worldWithKinds);
	await tab.service.control('PATCH', '/control/settings', { dialect: 'standard', dpop_nonce: true });
	const builder = await tab.open();
	await builder.registerKey();
	await tab.authorize(builder);
	edit(builder, 'DPoP', 'new');
	// The first response brings the nonce.
	await builder.send();
	await builder.send();
	choose(builder, 'records', 'no_permission');
	await builder.send();
	const { expected, entry } = builder.result ?? {};
	expect(expected && judge(expected, entry?.trace ?? [])).toMatchObject({ isAsExpected: true });
});
