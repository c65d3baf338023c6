import { expect, test } from 'vitest';
import { siteAreas } from '#api/site.ts';
import { areaLabels } from '#features/studio/area-labels.ts';
import { idOf } from '#features/studio/replace-word.ts';

test('every part of the site that a world can hide has a label', () => {
	expect(siteAreas.filter((area) => areaLabels[area] === undefined)).toEqual([]);
	expect(Object.keys(areaLabels).filter((area) => !siteAreas.includes(area))).toEqual([]);
});

test('letters that are no other letter with a mark are written out in addresses', () => {
	expect(idOf('Norðlys')).toBe('nordlys');
	expect(idOf('Ærø Straße Þór Łódź')).toBe('aero-strasse-thor-lodz');
	expect(idOf('Saint Brigid')).toBe('saint-brigid');
});
