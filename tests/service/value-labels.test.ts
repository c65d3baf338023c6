import { expect, test } from 'vitest';
import { ValueLabels } from '#service/traffic/value-labels.ts';

test('numbers the values of each kind, and finds them again by their digest', () => {
	const labels = new ValueLabels(() => 10);
	expect(labels.find('a', 'code', undefined).label).toBe('code 1');
	expect(labels.find('b', 'code', undefined).label).toBe('code 2');
	expect(labels.find('c', 'access token', undefined).label).toBe('access token 1');
	expect(labels.find('a', 'token', undefined).label).toBe('code 1');
});

test('forgets the values that occurred longest ago, and never gives a label twice', () => {
	const labels = new ValueLabels(() => 2);
	for (const id of ['a', 'b', 'c', 'a', 'd', 'e']) labels.find(id, 'code', undefined);
	expect(labels.find('a', 'code', undefined).label).toBe('code 1');
	expect(labels.find('b', 'code', undefined).label).toBe('code 6');
});

test('continues the labels of a stored log', () => {
	const value = (label: string, id: string) => ({ label, preview: '', id });
	const labels = new ValueLabels(() => 10, [{ values: [value('code 7', 'a'), value('access token 12', 'b')] }]);
	expect(labels.find('a', 'code', undefined).label).toBe('code 7');
	expect(labels.find('c', 'code', undefined).label).toBe('code 8');
	expect(labels.find('d', 'access token', undefined).label).toBe('access token 13');
});

test('knows the flow of a value, but none of a client secret', () => {
	const labels = new ValueLabels(() => 10, [{ flow: 'f', values: [{ label: 'code 1', preview: '', id: 'a' }] }]);
	expect(labels.find('a', 'code', undefined).flow).toBe('f');
	expect(labels.find('a', 'code', 'g').flow).toBe('f');
	labels.find('b', 'client secret', 'f');
	expect(labels.find('b', 'client secret', undefined).flow).toBeUndefined();
});
