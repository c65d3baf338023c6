import type { LessonTraces } from '../engine/lesson.ts';
import type { Reply, ScriptedClient } from '../engine/scripted-client.ts';

const header = ({ headers }: Reply, name: string) => headers.get(name) ?? '';
const reset = (reply: Reply) => Number(header(reply, 'x-ratelimit-reset'));
const date = (reply: Reply) => Date.parse(header(reply, 'date')) / 1000;

/** Reads characters and the rate limit records. Returns the last response of each. */
async function read(client: ScriptedClient, count = 5): Promise<{ last: Reply; limits: Reply }> {
	const token = (await client.signIn()).field('access_token');
	let last = await client.character(token);
	for (let call = 1; call < count; call++) last = await client.character(token);
	return { last, limits: await client.rateLimits(token) };
}

function enter(client: ScriptedClient, callsLeft: number | string, seconds: number | string): void {
	client.enter('calls_left', String(callsLeft));
	client.enter('seconds_until_reset', String(seconds));
}

export const traces: LessonTraces = {
	passing: {
		run: async (client) => {
			const { last } = await read(client);
			enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - date(last));
		}
	},
	nearMisses: [
		{
			name: 'right numbers after four calls',
			missing: 'calls_made',
			run: async (client) => {
				const { last } = await read(client, 4);
				enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - date(last));
			}
		},
		{
			name: 'five calls of which one has no token',
			missing: 'calls_made',
			run: async (client) => {
				await client.character('A'.repeat(43));
				await read(client, 4);
			}
		},
		{
			name: 'the records are requested before the calls only',
			missing: 'limits_requested',
			run: async (client) => {
				const token = (await client.signIn()).field('access_token');
				await client.rateLimits(token);
				for (let call = 0; call < 5; call++) await client.character(token);
			}
		},
		{
			name: 'the records are requested without a token',
			missing: 'limits_requested',
			run: async (client) => {
				const token = (await client.signIn()).field('access_token');
				let last = await client.character(token);
				for (let call = 0; call < 5; call++) last = await client.character(token);
				await client.rateLimits('A'.repeat(43));
				enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - date(last));
			}
		},
		{
			name: 'the calls left are those of the other limit',
			missing: 'calls_left',
			run: async (client) => {
				const { last, limits } = await read(client);
				enter(client, header(limits, 'x-ratelimit-remaining'), reset(last) - date(last));
			}
		},
		{
			name: 'the calls left were right before two more calls',
			missing: 'calls_left',
			run: async (client) => {
				const { last } = await read(client);
				await read(client, 2);
				enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - date(last));
			}
		},
		{
			name: 'the seconds are the reset itself',
			missing: 'seconds_until_reset',
			run: async (client) => {
				const { last } = await read(client);
				enter(client, header(last, 'x-ratelimit-remaining'), reset(last));
			}
		},
		{
			name: 'the seconds are computed with the clock of another machine',
			missing: 'seconds_until_reset',
			run: async (client) => {
				const { offset } = await client.control.request('GET /control/clock');
				const { last } = await read(client);
				enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - (date(last) - offset / 1000));
			}
		},
		{
			name: 'the fields are empty',
			missing: 'calls_left',
			run: async (client) => {
				await read(client);
				enter(client, '', '');
			}
		}
	]
};
