import { orNoResponse } from '#course/lessons/scripted-client.ts';
import { limit, abuse, sendCalls, untilBlacklisted, fileTicket } from '../scripts/blacklisted.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the last rejected call before the blacklist',
		missing: 'blacklisted',
		run: async (client) => {
			await sendCalls(client, limit + abuse - 1);
			await client.rateLimiting();
		}
	},
	{
		name: 'the client stops with the call that blacklists it',
		missing: 'no_response',
		run: async (client) => {
			await sendCalls(client, limit + abuse);
			await client.rateLimiting();
			await fileTicket(client);
		}
	},
	{
		name: 'a request has no response for another reason',
		missing: 'no_response',
		run: async (client) => {
			const token = await sendCalls(client, limit + abuse);
			const { address } = await client.control.request('GET /control/tickets');
			await client.control.request('DELETE /control/blacklist/{+address}', { path: { address } });
			await client.control.request('POST /control/faults', { body: { endpoint: 'character', kind: 'drop' } });
			await orNoResponse(client.character(token));
		}
	},
	{
		name: 'the status is that of another address',
		missing: 'status_read',
		run: async (client) => {
			await untilBlacklisted(client);
			await client.send(`${client.baseUrl}/ratelimiting`, { headers: { 'x-tollgate-address': '203.0.113.7' } });
			await fileTicket(client);
		}
	},
	{
		name: 'the status was read before the blacklist',
		missing: 'status_read',
		run: async (client) => {
			await client.rateLimiting();
			await untilBlacklisted(client);
		}
	},
	{
		name: 'the ticket was filed before the blacklist',
		missing: 'ticket_filed',
		run: async (client) => {
			await fileTicket(client);
			await untilBlacklisted(client);
			await client.rateLimiting();
		}
	},
	{
		name: 'the address is unblocked, and the ticket stays open',
		missing: 'unblocked',
		run: async (client) => {
			const token = await untilBlacklisted(client);
			await client.rateLimiting();
			const { address } = await fileTicket(client);
			await client.control.request('DELETE /control/blacklist/{+address}', { path: { address } });
			await client.character(token);
		}
	},
	{
		name: 'the ticket is rejected',
		missing: 'unblocked',
		run: async (client) => {
			await untilBlacklisted(client);
			await client.rateLimiting();
			const { id } = await fileTicket(client);
			await client.control.request('POST /control/tickets/{id}', {
				path: { id },
				body: { decision: 'reject', reply: 'What is the fix?' }
			});
		}
	},
	{
		name: 'the application does not read again',
		missing: 'reads_again',
		run: async (client) => {
			await untilBlacklisted(client);
			await client.rateLimiting();
			const { id } = await fileTicket(client);
			await client.control.request('POST /control/tickets/{id}', {
				path: { id },
				body: { decision: 'unblock', reply: 'Done.' }
			});
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Start load test');
	await learner.next();
	await learner.press('Check status');
	await learner.next();
	await learner.enter('What happened?', 'A loop did not stop at the limit.');
	await learner.enter('What did you change?', 'It waits for the reset.');
	await learner.press('File ticket');
	await learner.next();
	await learner.press('Unblock');
	await learner.next();
	await learner.press('Look up');
	await learner.next();
};
