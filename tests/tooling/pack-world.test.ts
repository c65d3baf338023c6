import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packWorld } from '#tooling/pack-world.ts';
import { temporaryFolder } from '../hosts/temporary-folder.ts';

/** Writes a world file, and files beside it. */
async function write(content: object, files: Readonly<Record<string, string>> = {}): Promise<string> {
	const folder = await temporaryFolder();
	const world = JSON.stringify({ format: 'tollgate-world', version: 1, ...content });
	for (const [name, text] of Object.entries({ ...files, 'world.json': world })) writeFileSync(join(folder, name), text);
	return join(folder, 'world.json');
}

test('contains the logos, so that the static build needs no other file', async () => {
	const brand = { name: 'Harbor Lane', logo: { light: 'logo.svg' } };
	const file = await write({ brand }, { 'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' });
	expect(packWorld(file)).toMatch(/"light": "data:image\/svg\+xml;base64,/);
});

test('rejects a mistake, and a secret that is not in the file, because a browser could not read it', async () => {
	const accounts = [{ username: 'ada', password: { file: 'secret.txt' } }];
	const file = await write({ accounts, characters: [] }, { 'secret.txt': 'a secret' });
	expect(() => packWorld(file)).toThrow(/accounts\.0\.password.*as a text/);
	const unnamed = await write({ brand: {} });
	expect(() => packWorld(unnamed)).toThrow(/brand\.name/);
});
