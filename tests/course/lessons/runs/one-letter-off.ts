import { open, openPorts, withSlash, withCapital, withScheme } from '../scripts/one-letter-off.ts';
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
	const uri = await learner.read('redirect_uri');
	const scheme = uri.startsWith('https:') ? uri.replace('https:', 'http:') : uri.replace('http:', 'https:');
	for (const changed of [`${uri}/`, uri.replace('callback', 'Callback')]) {
		await learner.enter('redirect_uri', changed);
		const page = await learner.pressForTab('Open request');
		await page.see('redirect');
		await page.close();
		await learner.next();
	}
	await learner.enter('redirect_uri', uri);
	await learner.press('Pause at redirect out');
	const held = await learner.pressForTab('Open request');
	await held.release({ redirect_uri: scheme });
	await held.see('redirect');
	await held.close();
	await learner.next();
	for (const port of [4180, 4181]) {
		await learner.enter('redirect_uri', `http://localhost:${port}`);
		await (await learner.pressForTab('Open request')).close();
	}
	await learner.next();
};
