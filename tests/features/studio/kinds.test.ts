import { expect, test } from 'vitest';
import { kindFieldsText, readKindFields, readRecords, recordsText } from '#features/studio/kind-text.ts';
import { listFields } from '#features/studio/list-fields.ts';
import bank from '#features/studio/templates/bank.json' with { type: 'json' };
import { WorldDraft } from '#features/studio/world-draft.svelte.ts';

test('fields and records of a kind are lines of text, and read from them unchanged', () => {
	for (const { fields, records } of bank.kinds) {
		expect(readKindFields(kindFieldsText(fields))).toEqual(fields);
		expect(readRecords(recordsText(records, fields), fields)).toEqual(records);
	}
	expect(kindFieldsText(bank.kinds[1]?.fields)).toContain('amount: number, required, label Amount');
	expect(recordsText(bank.kinds[1]?.records, bank.kinds[1]?.fields)).toContain(
		'pay-1 | anna | Rent | 880 | EUR | 2026-10-01 | booked'
	);
	const odd = { a: { type: 'text', label: 'One, two' } };
	expect(readKindFields(kindFieldsText(odd))).toEqual(odd);
	const barred = [{ id: 'x', owner: 'anna', fields: { a: 'b | c' } }];
	expect(readRecords(recordsText(barred, odd), odd)).toEqual(barred);
});

test('a new kind has its permissions, which follow its name, and no mistakes', () => {
	const draft = new WorldDraft(bank);
	draft.add('kinds', listFields.kinds.create(3, 'anna'));
	expect(draft.mistakes).toEqual([]);
	draft.set('kinds.2.name', 'cards');
	expect(draft.mistakes).toEqual([]);
	expect(draft.text).toContain('"scope": "cards_write"');
	for (const words of ['Read cards', 'See your cards', 'Create cards']) expect(draft.text).toContain(`"${words}"`);
	expect(draft.text).not.toContain('kind_3');
	// Words of the author stay.
	draft.set('permissions.0.consent', 'See what you own');
	draft.set('kinds.2.name', 'tickets');
	expect(draft.text).toContain('"See your tickets"');
	expect(draft.text).toContain('"See what you own"');
	draft.set('kinds.2.fields', readKindFields('title: money'));
	expect(draft.errorIn('kinds.2.fields')).toContain('Use one of text, integer');
});

test('the records of an account are removed with it', () => {
	const draft = new WorldDraft(bank);
	draft.remove('accounts', 1);
	expect(draft.mistakes).toEqual([]);
	expect(draft.text).not.toContain('"omar"');
});
