import { expect, it } from 'vitest';
import { readNames } from '#course/class/model/real-names.svelte.ts';

const rows = [
	{ seat: 1, label: 'Quiet Heron' },
	{ seat: 17, label: 'Brave Owl' }
];

it('matches lines by seat number or generated name, and keeps those without a seat', () => {
	const text = '1 Jane Doe\nRené Ölund, brave owl\n\n99 Mary\nno seat here\n17';
	const { names, unread } = readNames(text, rows);
	expect([...names]).toEqual([
		[1, 'Jane Doe'],
		[17, 'René Ölund']
	]);
	expect(unread).toEqual(['99 Mary', 'no seat here', '17']);
});

it('reads separators of tables, and a number behind the name', () => {
	expect([...readNames('17;Ada Lovelace\nAlan Turing\t1', rows).names]).toEqual([
		[17, 'Ada Lovelace'],
		[1, 'Alan Turing']
	]);
});
