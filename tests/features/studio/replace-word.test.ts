import { expect, test } from 'vitest';
import { idOf } from '#features/studio/replace-word.ts';

test('letters that are no other letter with a mark are written out in addresses', () => {
	expect(idOf('Norðlys')).toBe('nordlys');
	expect(idOf('Ærø Straße Þór Łódź')).toBe('aero-strasse-thor-lodz');
	expect(idOf('Saint Brigid')).toBe('saint-brigid');
});
