import { ticket as ticketSchema, tickets as ticketsSchema } from '#api/control/tickets.ts';
import { equal, matches } from '../assert.ts';
import { storeCase, type Case } from '../case.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';
import { getBlacklisted } from './limits.ts';

const path = '/ws/v2.0/character/Mara%20Vell';
const parts = { reason: 'a loop in my test', resolution: 'it waits now' };

/** RL-12: support tickets. */
export const ticketCases: Case[] = [
	storeCase('RL-12 unblocks a blacklisted client that filed a ticket, and shows it the reply', async (at) => {
		await getBlacklisted(at);
		const filed = await file(at, parts);
		equal(filed.status, 201);
		const { id, result, state } = filed.as(ticketSchema);
		equal(state, 'open');
		for (const part of ['"state": "blacklisted"', '"remaining": 0', 'over the limit']) matches(result, part);
		const seen = (await at.get('/control/tickets')).as(ticketsSchema);
		equal([seen.blacklisted === null, seen.tickets.map((ticket) => ticket.id)], [false, [id]]);
		await at.controlled('POST', `tickets/${id}`, { reply: 'Which loop?' });
		equal(await at.trySend({ target: path }), undefined, 'a reply alone changes nothing');
		const decided = await at.controlled('POST', `tickets/${id}`, { decision: 'unblock', reply: 'Thanks.\nGo on.' });
		equal(decided.as(ticketSchema).state, 'unblocked');
		await at.changeSettings({ limits: { character: 5 } });
		equal((await at.get(path)).limit.remaining, 4, 'the counters are reset');
		const after = (await at.get('/control/tickets')).as(ticketsSchema);
		equal(
			[after.blacklisted, after.tickets[0]?.state, after.tickets[0]?.reply],
			[null, 'unblocked', 'Thanks.\nGo on.']
		);
	}),
	storeCase('RL-12 keeps a client blacklisted whose ticket is rejected, and decides a ticket once', async (at) => {
		await getBlacklisted(at);
		const { id } = (await file(at, parts)).as(ticketSchema);
		await at.controlled('POST', `tickets/${id}`, { decision: 'reject', reply: 'No.' });
		equal(await at.trySend({ target: path }), undefined);
		const again = await at.control('POST', `tickets/${id}`, { decision: 'unblock', reply: 'Yes.' });
		equal([again.status, again.error], [409, 'conflict']);
		equal((await at.controlled('GET', 'tickets')).as(ticketsSchema).tickets[0]?.reply, 'No.');
		equal((await at.control('POST', `tickets/${id}`, {})).status, 400, 'neither a decision nor a reply');
		equal((await at.control('POST', 'tickets/unknown', { reply: 'x' })).status, 404);
	}),
	storeCase('RL-12 names the missing part of a ticket, and accepts five open ones of an address', async (at) => {
		for (const field of ['reason', 'resolution']) {
			for (const value of ['', ' \n', 'x'.repeat(4001)]) {
				const response = await file(at, { ...parts, [field]: value });
				equal(response.status, 400);
				matches(response.text, `"field":"${field}"`);
			}
		}
		const filed = await Promise.all(Array.from({ length: 8 }, () => file(at, parts)));
		equal(filed.map(({ status }) => status).sort(), [...Array(5).fill(201), 409, 409, 409]);
	}),
	storeCase('RL-12 accepts no more than 20 open tickets of all virtual addresses together', async (at) => {
		const address = (last: number) => ['X-Tollgate-Address', `192.0.2.${last}`];
		const filed = await Promise.all(Array.from({ length: 22 }, (_, last) => file(at, parts, ...address(last))));
		equal(filed.map(({ status }) => status).sort(), [...Array(20).fill(201), 409, 409]);
		equal((await file(at, parts)).status, 201, 'the network address has its own tickets');
	}),
	storeCase(
		'RL-12 shows a client its own tickets, the owner all, and other sites none',
		async (at) => {
			const there = at.from('127.0.0.2');
			const [own, other] = [(await file(at, parts)).as(ticketSchema), (await file(there, parts)).as(ticketSchema)];
			const listed = async (response: Promise<TestResponse>) => {
				const { can_decide, tickets } = (await response).as(ticketsSchema);
				return [can_decide, ...tickets.map(({ id }) => id)];
			};
			equal(await listed(at.get('/control/tickets')), [false, own.id]);
			equal(await listed(there.get('/control/tickets')), [false, other.id]);
			equal(await listed(at.control('GET', 'tickets')), [true, own.id, other.id]);
			for (const foreign of [
				['Origin', 'https://evil.example'],
				['Sec-Fetch-Site', 'cross-site']
			]) {
				equal((await at.get('/control/tickets', ...foreign)).status, 403);
				equal((await file(at, parts, ...foreign)).status, 403);
			}
		},
		['second address', 'raw headers']
	)
];

/** Files a ticket as a client does that does not own the sandbox. */
function file(at: Sandbox, body: object, ...headers: string[]): Promise<TestResponse> {
	const json = ['Content-Type', 'application/json', ...headers];
	return at.send({ method: 'POST', target: '/control/tickets', headers: json, body: JSON.stringify(body) });
}
