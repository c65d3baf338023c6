import { open, openPorts, withSlash, withCapital, withScheme } from '#features/lessons/one-letter-off/script.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'one request has two differences',
		missing: 'slash_rejected',
		run: async (client) => {
			await open(client, `${withScheme(client)}/`);
			await open(client, withCapital(client));
			await openPorts(client, 'http://localhost:4180', 'http://localhost:4181');
		}
	},
	{
		name: 'the client_id is unknown, so that the redirect URI is not compared',
		missing: 'slash_rejected',
		run: async (client) => {
			await open(client, withSlash(client), { ...client.viewer, client_id: 'character-viewers' });
		}
	},
	{
		name: 'the redirect URI is wrong in the exchange only',
		missing: 'slash_rejected',
		run: async (client) => {
			await client.exchange(await client.code(), client.viewer, { redirect_uri: withSlash(client) });
		}
	},
	{
		name: 'another path instead of another letter case',
		missing: 'letter_case_rejected',
		run: async (client) => {
			await open(client, withSlash(client));
			await open(client, client.viewer.redirect_uri.replace('callback', 'return'));
		}
	},
	{
		name: 'the scheme is left out, or the port changed with it',
		missing: 'scheme_rejected',
		run: async (client) => {
			await open(client, withSlash(client));
			await open(client, withCapital(client));
			await open(client, client.viewer.redirect_uri.replace(/^https?:\/\//, ''));
			await open(client, withScheme(client).replace(/^(https?:\/\/[^/:]+)(:\d+)?/, '$1:9'));
		}
	},
	{
		name: 'the same port, written in two ways',
		missing: 'port_accepted',
		run: async (client) => {
			await open(client, withSlash(client));
			await open(client, withCapital(client));
			await open(client, withScheme(client));
			await openPorts(client, 'http://localhost', 'http://localhost:80', 'http://localhost/');
		}
	},
	{
		name: 'the second port does not exist',
		missing: 'port_accepted',
		run: async (client) => {
			await open(client, withSlash(client));
			await open(client, withCapital(client));
			await open(client, withScheme(client));
			await openPorts(client, 'http://localhost:4180', 'http://localhost:70000');
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.choose('Request', 'Authorization');
	await learner.select('Application', 'Character Viewer');
	const registered = await learner.read('redirect_uri');
	const wrong = [
		`${registered}/`,
		registered.replace(/callback$/, 'Callback'),
		registered.startsWith('https:') ? registered.replace(/^https/, 'http') : registered.replace(/^http/, 'https')
	];
	for (const uri of wrong) {
		await learner.enter('redirect_uri', uri);
		const page = await learner.pressForTab('Open in new tab');
		await page.see('redirect_uri');
		await page.close();
	}
	await learner.select('Application', 'Pocket Companion');
	for (const port of ['4180', '4181']) {
		await learner.enter('redirect_uri', `http://localhost:${port}`);
		const page = await learner.pressForTab('Open in new tab');
		await page.see('player-one');
		await page.close();
	}
};
