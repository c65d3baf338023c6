import * as v from 'valibot';
import { equal, matches } from '../assert.ts';
import { testCase, storeCase, type Case } from '../case.ts';
import type { Sandbox } from '../sandbox.ts';
import { getBlacklisted } from './limits.ts';

const path = '/ws/v2.0/character/Mara%20Vell';
const header = 'X-Tollgate-Address';
const status = v.looseObject({ state: v.string(), address: v.string() });
const entries = v.object({ entries: v.array(v.object({ address: v.string() })) });

/** RL-11: virtual addresses. */
export const virtualAddressCases: Case[] = [
	testCase('RL-11 counts requests for the virtual address of their header, IPv6 by its /64', async (at) => {
		const remaining = async (...headers: string[]) => {
			const response = await at.get(path, ...headers);
			return [response.header('x-tollgate-address'), response.limit.remaining];
		};
		const [own] = await remaining();
		equal(await remaining(header, '192.0.2.7'), ['192.0.2.7', 599]);
		equal(await remaining(header, '192.0.2.7'), ['192.0.2.7', 598]);
		equal(await remaining(header, '192.0.2.8'), ['192.0.2.8', 599]);
		equal(await remaining(header, '2001:db8:1:2::1'), ['2001:db8:1:2::/64', 599]);
		equal(await remaining(header, '2001:DB8:1:2:3::7'), ['2001:db8:1:2::/64', 598]);
		equal(await remaining(), [own, 598]);
		equal((await at.get('/ratelimiting', header, '192.0.2.7')).as(status).address, '192.0.2.7');
		const logged = (await at.controlled('GET', 'traffic')).as(entries).entries;
		equal(
			logged.slice(1, 4).map(({ address }) => address),
			['192.0.2.7', '192.0.2.7', '192.0.2.8']
		);
	}),
	testCase(
		'RL-11 rejects any other value of the header with 400, and counts it for the network address',
		async (at) => {
			const wrong = [
				'127.0.0.1',
				'192.0.2.256',
				'192.0.3.1',
				'192.0.2.07',
				'2001:db9::1',
				'2001:db8:::1',
				'office',
				' '
			];
			for (const [index, value] of wrong.entries()) {
				const response = await at.get(path, header, value);
				equal([response.status, response.error], [400, 'invalid_request'], value);
				equal(response.limit.remaining, 599 - index);
				matches(response.text, header);
			}
			equal((await at.get('/ratelimiting', header, '10.0.0.1')).status, 400);
		}
	),
	storeCase('RL-11 blacklists a virtual address alone, and unblocks it', async (at) => {
		await blacklist(at, '192.0.2.7');
		for (const target of [path, '/ws/v2.0/ratelimits', '/ws/oauth2/revoke']) {
			equal(await at.trySend({ target, headers: [header, '192.0.2.7'] }), undefined, target);
			equal((await at.get(target, header, '192.0.2.8')).status < 402, true, target);
		}
		equal((await at.get(path)).status, 401);
		equal((await at.get('/ratelimiting', header, '192.0.2.7')).as(status).state, 'blacklisted');
		await at.controlled('DELETE', 'blacklist/192.0.2.7');
		equal((await at.get(path, header, '192.0.2.7')).status, 401);
	}),
	testCase('RL-11 ignores the header where the sandbox has virtual addresses switched off', async (at) => {
		await at.changeSettings({ virtual_addresses: false });
		for (const value of ['192.0.2.7', 'nonsense']) {
			const response = await at.get(path, header, value);
			equal(response.status, 401);
			equal(response.header('x-tollgate-address'), (await at.get('/ratelimiting')).as(status).address);
		}
		equal((await at.get(path)).limit.remaining, 597);
		await getBlacklisted(at);
		equal(await at.trySend({ target: path, headers: [header, '192.0.2.9'] }), undefined);
	}),
	testCase('RL-11 counts the requests of an application for its virtual address', async (at) => {
		const { access_token, refresh_token } = await at.user().offline();
		await at.controlled('PATCH', 'applications/character-viewer', { address: '192.0.2.50' });
		const counted = (await at.character(access_token)).header('x-tollgate-address');
		equal(counted, '192.0.2.50');
		equal((await at.get(`${path}?access_token=${access_token}`)).limit.remaining, 598);
		equal(
			(await at.character(access_token, 'Mara Vell', header, '192.0.2.7')).limit.remaining,
			599,
			'the header decides'
		);
		equal((await at.get(path)).limit.remaining, 599, 'no credential');
		await blacklist(at, '192.0.2.50');
		const viewer = at.viewer;
		const refresh = { grant_type: 'refresh_token', refresh_token, ...viewer };
		const form = new URLSearchParams(refresh).toString();
		const headers = ['Content-Type', 'application/x-www-form-urlencoded'];
		equal(await at.trySend({ method: 'POST', target: '/ws/oauth2/token/', headers, body: form }), undefined);
		equal(await at.trySend({ target: `/ws/oauth2/revoke?client_id=character-viewer&token=x` }), undefined);
		equal((await at.get('/ws/oauth2/revoke?client_id=pocket-companion&token=x')).status, 400);
		await at.controlled('PATCH', 'applications/character-viewer', { address: null });
		equal((await at.refresh(refresh_token)).status, 200);
	})
];

async function blacklist(at: Sandbox, address: string): Promise<void> {
	await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 3 } });
	for (let call = 0; call < 3; call++) equal((await at.get(path, header, address)).status, 400);
	await at.changeSettings({ limits: { character: 600 } });
}
