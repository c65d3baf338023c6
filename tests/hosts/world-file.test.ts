import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#hosts/config.server.ts';
import { createService } from '#hosts/library/tollgate.ts';
import { checkWorld } from '#hosts/node/check-world.server.ts';
import { loadWorldFile, packWorldFile } from '#hosts/world-file.server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const head = { format: 'tollgate-world', version: 1 };
const png = Buffer.from('89504e470d0a1a0a', 'hex');

async function folderWith(world: object): Promise<string> {
	const folder = await temporaryFolder();
	await writeFile(join(folder, 'world.json'), JSON.stringify({ ...head, ...world }));
	return folder;
}

test('reads WORLD relative to the folder, with logos and secrets beside it', async () => {
	const applications = [
		{
			client_id: 'portal',
			name: 'Portal',
			kind: 'web',
			redirect_uris: ['{base_url}/viewer/callback'],
			secret: { file: 'key' }
		}
	];
	const accounts = [{ username: 'ada', password: { env: 'ADA' } }];
	const folder = await folderWith({ brand: { name: 'Acme', logo: { light: 'logo.png' } }, applications, accounts });
	await writeFile(join(folder, 'logo.png'), png);
	await writeFile(join(folder, 'key'), 'the-secret\n');
	const { world } = readConfig({ WORLD: 'world.json', ADA: 'the-password' }, folder);
	expect(world?.brand.logo?.light).toBe(`data:image/png;base64,${png.toString('base64')}`);
	expect(world?.accounts).toEqual([{ username: 'ada', password: 'the-password', isPublished: false }]);
	expect(JSON.stringify(world)).not.toContain('the-secret');
	expect(
		readConfig({ WORLD_JSON: JSON.stringify({ ...head, brand: { name: 'Inline' } }) }, folder).world?.brand
	).toEqual({
		name: 'Inline'
	});
});

test.each([
	['a missing file', { WORLD: 'none.json' }, /^Cannot read the world file .*none\.json \(ENOENT\)\. Give the path/],
	['a folder', { WORLD: '.' }, /^Cannot read the world file .* \(not a regular file\)\./],
	['a device', { WORLD: '/dev/zero' }, /^Cannot read the world file \/dev\/zero \(not a regular file\)\./],
	['two worlds', { WORLD: 'world.json', WORLD_JSON: '{}' }, /^Set WORLD or WORLD_JSON, not both\.$/],
	['text that is not JSON', { WORLD_JSON: '{' }, /^WORLD_JSON is invalid\. It is not JSON: /],
	['a missing logo', { WORLD: 'world.json' }, /brand\.logo\.light: the file no\.svg cannot be read \(ENOENT\)\./]
])('names the mistake of %s in a sentence', async (_, environment, message) => {
	const folder = await folderWith({ brand: { name: 'Acme', logo: { light: 'no.svg' } } });
	expect(() => readConfig(environment, folder)).toThrow(message);
});

test('a variable that is not set is a mistake at a start, and names itself', async () => {
	const folder = await folderWith({ accounts: [{ username: 'ada', password: { env: 'ADA' } }] });
	const message = 'accounts.0.password (ada): the environment variable ADA is not set. Set it to the secret.';
	expect(() => loadWorldFile(join(folder, 'world.json'), () => undefined)).toThrow(message);
});

test('a logo that is a device is a mistake', async () => {
	const folder = await folderWith({ brand: { name: 'Acme', logo: { light: '/dev/zero' } } });
	expect(() => loadWorldFile(join(folder, 'world.json'), () => undefined)).toThrow(
		'brand.logo.light: the file /dev/zero cannot be read (not a regular file). Correct the path.'
	);
});

test('the check lists all variables that are not set, and goes on', async () => {
	const accounts = ['ada', 'ben'].map((username) => ({ username, password: { env: username.toUpperCase() } }));
	const folder = await folderWith({ accounts });
	const { isValid, text } = checkWorld('world.json', folder);
	expect(isValid).toBe(true);
	expect(text).toContain('\nThe server needs environment variables that are not set here: ADA, BEN.');
	const wrong = await folderWith({ accounts, characters: [{ name: 'A', player: 'eve' }] });
	expect(checkWorld('world.json', wrong).text).toMatch(
		/is invalid\. characters\.0\.player \(A\): there is no account "eve"/
	);
});

test('the package takes the content of a world file', async () => {
	const content = { ...head, brand: { name: 'Acme' } };
	for (const world of [content, JSON.stringify(content)]) {
		const service = createService({ world });
		const request = {
			method: 'GET',
			target: '/control/world',
			headers: [],
			body: new Uint8Array(),
			bodyTooLarge: false
		};
		const result = await service.handle({ ...request, peer: '127.0.0.1' });
		expect(result.kind === 'response' && result.body).toContain('"brand":{"name":"Acme"}');
	}
	expect(() => createService({ world: { ...head, brand: {} } })).toThrow('brand.name: this field is required.');
});

test('the check says what visitors get, or what is wrong', async () => {
	const folder = await folderWith({ brand: { name: 'Acme' } });
	expect(checkWorld('world.json', folder)).toEqual({
		isValid: true,
		text: [
			'world.json is valid: Acme, with 5 permissions, 3 accounts, 5 characters, 2 applications.',
			'Passwords that the sign-in page shows: those of player-one, player-two, player-three.',
			'Secrets that pages get: those of character-viewer, pocket-companion.'
		].join('\n')
	});
	expect(checkWorld('none.json', folder).isValid).toBe(false);
});

test('the check says that previews of links have no picture, where only an SVG is the logo', async () => {
	const logo = {
		light: `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`
	};
	const picture = `data:image/png;base64,${png.toString('base64')}`;
	const textOf = async (brand: object) =>
		checkWorld('world.json', await folderWith({ brand: { name: 'Acme', ...brand } })).text;
	expect(await textOf({ logo })).toContain('\nPreviews of links have no picture. Add brand.picture, a PNG.');
	expect(await textOf({ logo, picture })).not.toContain('Previews');
});

test('a packed world contains its logos, so that the static build needs no other file', async () => {
	const folder = await folderWith({ brand: { name: 'Harbor Lane', logo: { light: 'logo.png' } } });
	await writeFile(join(folder, 'logo.png'), png);
	expect(packWorldFile(join(folder, 'world.json')).file).toMatch(/"light": "data:image\/png;base64,/);
});

test('does not pack a world with a mistake, or with a secret that a browser could not read', async () => {
	const accounts = [{ username: 'ada', password: { file: 'secret.txt' } }];
	const folder = await folderWith({ accounts, characters: [] });
	await writeFile(join(folder, 'secret.txt'), 'a secret');
	const file = join(folder, 'world.json');
	expect(() => packWorldFile(file)).toThrow(/world\.json is invalid\. accounts\.0\.password.*as a text/);
	expect(() => packWorldFile(`${file}.x`)).toThrow(/^Cannot read the world file .*world\.json\.x \(ENOENT\)\. Give/);
	await writeFile(file, Buffer.from('{"format":"\xff"}', 'latin1'));
	expect(() => packWorldFile(file)).toThrow(/^Cannot read the world file .*UTF-8/);
});
