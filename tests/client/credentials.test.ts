import { describe, expect, test } from 'vitest';
import { Workbench } from './workbench.ts';

const mine = { client_id: 'mine', client_secret: 'own' };

describe('the credentials of the application', () => {
	test('are those of the demo world until others are set, here and in other tabs', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		expect(await client.application()).toMatchObject({ client_id: 'character-viewer', client_secret: 'viewer-secret' });
		await client.setCredentials(mine);
		expect(await bench.tab('tab-2').application()).toMatchObject({ ...mine, name: 'Character Viewer' });
		await client.setCredentials(undefined);
		expect(await client.application()).toMatchObject({ client_id: 'character-viewer' });
	});

	test('of one service are not sent to another, and putting them back there changes nothing here', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const elsewhere = new Workbench('https://other.example').tab('tab-1', { shelf: bench.shelf });
		await client.setCredentials(mine);
		expect(await elsewhere.application()).toMatchObject({ client_id: 'character-viewer' });
		const theirs = { client_id: 'theirs', client_secret: 'other' };
		await elsewhere.setCredentials(theirs);
		expect(await client.application()).toMatchObject(mine);
		await elsewhere.setCredentials(undefined);
		expect(await client.application()).toMatchObject(mine);
	});
});
