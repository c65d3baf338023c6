import * as v from 'valibot';
import { ownerLink, revokedOwnerLinks, sandbox } from '#api/control/sandboxes.ts';
import { equal, fieldsOf, lacks, matches, ok } from '../assert.ts';
import { testCase, storeCase, type Case } from '../case.ts';
import { Sandbox } from '../sandbox.ts';

/** RM-02, RM-03: who controls a sandbox, and what it is called. */
export const sandboxOwnerCases: Case[] = [
	testCase('RM-03 renames a sandbox for its owner, and shows the name without control characters', async (at) => {
		equal(fieldsOf((await at.controlled('GET', 'sandbox')).json()).name, undefined);
		const renamed = await at.controlled('PATCH', 'sandbox', { name: '  Check\u202eout\u0007 tests ' });
		equal(fieldsOf(renamed.json()).name, 'Check\ufffdout\ufffd tests');
		equal(fieldsOf((await at.get('/control/status')).json()).name, 'Check\ufffdout\ufffd tests');
		for (const name of ['', '   ', 'x'.repeat(61), 7, null]) {
			const rejected = await at.control('PATCH', 'sandbox', { name });
			equal([rejected.status, fieldsOf(rejected.json()).field], [400, 'name'], String(name));
		}
		equal((await at.send({ method: 'PATCH', target: '/control/sandbox' })).status, 403);
		await at.controlled('POST', 'reset');
		equal(fieldsOf((await at.get('/control/status')).json()).name, 'Check\ufffdout\ufffd tests');
	}),
	testCase(
		'RM-03 an owner link lets another browser control one sandbox, and its key is in no log',
		async (at) => {
			const other = await Sandbox.create(at.transport);
			try {
				const { url } = (await at.controlled('POST', 'owner-links')).as(ownerLink);
				const [page, key = ''] = url.split('#owner=');
				equal(page, `${at.base_url}/controls/sandboxes`);
				matches(key, /^[\w-]{43}$/);
				const enter = (to: Sandbox, ...headers: string[]) =>
					to.send({ method: 'POST', target: '/control/owner', headers: ['X-Tollgate-Key', key, ...headers] });
				const canControl = async (to: Sandbox, cookie: string) =>
					(await to.get('/control/status', 'Cookie', cookie)).as(v.object({ can_control: v.boolean() })).can_control;

				equal((await enter(at, 'Origin', 'https://evil.example')).status, 403, 'a page of another site');
				const entered = await enter(at);
				const [line = ''] = entered.all('set-cookie');
				for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) ok(line.includes(part), line);
				equal(fieldsOf(entered.json()).id, at.id);
				const cookie = line.split(';', 1)[0] ?? '';
				equal([await canControl(at, cookie), await canControl(other, cookie)], [true, false]);
				equal((await enter(other)).status, 403, 'another sandbox');
				await at.controlled('POST', 'reset');
				equal(await canControl(at, cookie), true, 'after a reset');
				lacks(await at.traffic(), key);
				lacks(await other.traffic(), key);
				lacks((await at.controlled('GET', 'snapshot')).text, key);
			} finally {
				await other.remove();
			}
		},
		['raw headers']
	),
	storeCase('RM-03 revokes all owner links but the key of the caller', async (at) => {
		const keys: string[] = [];
		for (const _ of [1, 2]) {
			const { url } = (await at.controlled('POST', 'owner-links')).as(ownerLink);
			keys.push(url.split('#owner=')[1] ?? '');
		}
		const [mine = '', other = ''] = keys;
		const send = (method: string, path: string, key: string) =>
			at.send({ method, target: `/control/${path}`, headers: ['X-Tollgate-Key', key] });
		equal((await send('DELETE', 'owner-links', 'wrong')).status, 403);
		equal((await send('DELETE', 'owner-links', mine)).as(revokedOwnerLinks).revoked, 1);
		const statuses: number[] = [];
		for (const key of [other, mine, at.key]) statuses.push((await send('GET', 'sandbox', key)).status);
		equal(statuses, [403, 200, 200]);
	}),
	testCase('RM-05 sets the size of the traffic log of a sandbox, at the root only', async (at) => {
		equal((await at.controlled('GET', 'sandbox')).as(sandbox).traffic_entries, 200);
		equal((await at.control('PATCH', `sandboxes/${at.id}`, { traffic_entries: 300 })).status, 404);
		const response = await at.transport.send({
			method: 'PATCH',
			target: `/control/sandboxes/${at.id}`,
			headers: ['Content-Type', 'application/json'],
			body: '{"traffic_entries":300}'
		});
		// A server with an admin key rejects the call.
		if (response?.status === 403) return;
		equal(response?.status, 200);
		equal((await at.controlled('GET', 'sandbox')).as(sandbox).traffic_entries, 300);
	})
];
