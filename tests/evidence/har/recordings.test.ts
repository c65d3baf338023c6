import { expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import { recordings } from './recordings.ts';

function read(har: string) {
	const reading = readHar(har);
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading;
}

test.each(Object.entries(recordings))(
	'%s: finds roles, differences and causes',
	(_, { har, roles, findings, failed = [] }) => {
		const { exchanges, findings: found } = read(har);
		expect(exchanges.map(({ role }) => role)).toEqual(roles);
		expect(found.filter(({ state }) => state !== 'not_shown').map(({ id }) => id)).toEqual(
			expect.arrayContaining([...findings])
		);
		expect(new Set(found.filter(({ state }) => state === 'failed').map(({ id }) => id))).toEqual(new Set(failed));
	}
);

test.each(Object.entries(recordings))('%s: keeps no secret', (_, { har }) => {
	const text = JSON.stringify(read(har));
	const kept = [...text.matchAll(/canary.{0,30}/g)]
		.map(([found]) => found)
		.filter((found) => !found.startsWith('canaryless'));
	expect(kept).toEqual([]);
	expect(text).not.toContain(Buffer.from('canary-signature').toString('base64url'));
});
