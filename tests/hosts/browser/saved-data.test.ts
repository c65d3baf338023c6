import { expect, test } from 'vitest';
import { readSavedData } from '#hosts/browser/storage.ts';
import { logged } from '../../features/inspector/logged-exchange.ts';

test('converts the exchanges that an earlier version of the app saved', () => {
	const { references: _, ...saved } = logged();
	const body = 'client_secret=‹client secret 1›&code=‹code 3 GQVJab…›';
	const value = { ...saved, request: { ...saved.request, body } };
	const { logs } = readSavedData([{ sandbox: 'x', kind: 'traffic', id: '1', value }]);
	const [read] = logs.get('x')?.entries ?? [];
	expect(read?.request.body).toBe('client_secret=••••&code=GQVJab…');
	expect(read?.references.map(({ start, end, value }) => [start, end, value])).toEqual([
		[14, 18, 0],
		[24, 31, 1]
	]);
});
