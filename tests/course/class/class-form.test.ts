import { expect, test } from 'vitest';
import { mistakesOf } from '#course/class/model/class-form.ts';

const right = { name: 'A', seats: '30', hours: '4', lifetime: '10 min', limit: '600' };
const fieldsOf = (change: object, isNew = true) =>
	mistakesOf({ ...right, ...change }, 30, isNew).map(([field]) => field);

test('all mistakes of the form are found at once, at their fields', () => {
	expect(fieldsOf({})).toEqual([]);
	const wrong = { name: ' ', seats: '31', hours: '0', lifetime: 'soon', limit: '1.5' };
	expect(fieldsOf(wrong)).toEqual(['name', 'seats', 'hours', 'lifetime', 'limit']);
	expect(fieldsOf(wrong, false), 'copied settings').toEqual(['name', 'seats', 'hours']);
	expect(mistakesOf({ ...right, seats: '31' }, 30, true)).toEqual([['seats', 'Enter a whole number from 1 to 30.']]);
	expect(fieldsOf({ seats: '' })).toEqual(['seats']);
});
