import { expect, it } from 'vitest';
import { traffic, type TrafficEntry } from '#api/control/traffic.ts';
import { packEntry, unpackEntry } from '#service/traffic/logged-exchange.ts';
import { createTestService } from './test-service.ts';

/** The entry of a character read. */
async function realEntry(): Promise<TrafficEntry> {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().tokens();
	await at.character(access_token);
	const { entries } = (await at.controlled('GET', 'traffic')).as(traffic);
	const entry = entries.at(-1);
	if (entry === undefined) throw new Error('There is no entry.');
	return entry;
}

it('leaves out what the table of checks has, and adds it again', async () => {
	const entry = await realEntry();
	const text = JSON.stringify(packEntry(entry));
	expect(text.length).toBeLessThan(0.8 * JSON.stringify(entry).length);
	expect(JSON.stringify(unpackEntry(JSON.parse(text)))).toBe(JSON.stringify(entry));
});

it('keeps another name, and shows the id of a check that the table no longer has', async () => {
	const [line, ...trace] = (await realEntry()).trace;
	if (line === undefined) throw new Error('There is no trace.');
	const entry = { ...(await realEntry()), trace: [{ ...line, name: 'Another name' }, ...trace] };
	expect(unpackEntry(packEntry(entry))).toEqual(entry);
	const { name: _, section: __, ...rest } = line;
	const [old] = unpackEntry({ ...entry, trace: [{ ...rest, id: 'gone' }] }).trace;
	expect(old).toMatchObject({ id: 'gone', name: 'gone', section: '' });
});
