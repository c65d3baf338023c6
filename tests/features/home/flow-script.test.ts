import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createNodeService } from '#hosts/node-service.server.ts';
import { createFlows, limit } from '#features/home/flow-player.svelte.ts';
import { headerValue, headerValues } from '#api/headers.ts';
import type { WireResponse } from '#api/message.ts';

const origin = 'https://localhost:8443';
const redirect_uri = `${origin}/viewer/callback`;
const traffic = v.object({
	entries: v.array(
		v.object({
			request: v.object({ method: v.string(), target: v.string() }),
			response: v.object({ status: v.number() }),
			trace: v.array(
				v.object({
					id: v.string(),
					outcome: v.string(),
					found: v.optional(v.string()),
					expected: v.optional(v.string())
				})
			)
		})
	)
});

/** Runs a flow of the demo against a service. Returns its traffic log and the remaining requests. */
async function runFlow(sentUri: string) {
	const service = createNodeService({ origin });
	let cookie = '';
	const send = async (method: string, target: string, fields?: Record<string, string>, token?: string) => {
		const headers = [...(cookie === '' ? [] : ['Cookie', cookie])];
		if (fields !== undefined) headers.push('Content-Type', 'application/x-www-form-urlencoded');
		if (token !== undefined) headers.push('Authorization', `OAuth ${token}`);
		return handled(method, target, headers, new URLSearchParams(fields).toString());
	};
	const handled = async (method: string, target: string, headers: string[], body: string): Promise<WireResponse> => {
		const call = {
			method,
			target,
			headers,
			body: new TextEncoder().encode(body),
			bodyTooLarge: false,
			peer: '127.0.0.1'
		};
		const response = await service.handle(call);
		if (response.kind !== 'response') throw new Error(response.kind);
		for (const set of headerValues(response.headers, 'set-cookie')) cookie = set.split(';', 1)[0] ?? '';
		return response;
	};
	const limits = JSON.stringify({ limits: { character: limit } });
	await handled('PATCH', '/control/settings', ['Content-Type', 'application/json'], limits);

	const client = { client_id: 'character-viewer', redirect_uri };
	const query = new URLSearchParams({ ...client, response_type: 'code', scope: 'character_read', state: 'abc' });
	const asked = await send('GET', `/ws/oauth2/auth/?${query.toString()}`);
	const interaction = /name="interaction" value="([^"]+)"/.exec(asked.body)?.[1] ?? '';
	const signedIn = await send('POST', '/ws/oauth2/auth/', { interaction, username: 'player-one', password: 'demo' });
	await send('GET', (headerValue(signedIn.headers, 'location') ?? '').slice(origin.length));
	const agreed = await send('POST', '/ws/oauth2/auth/', { interaction, decision: 'approve' });
	const code = new URL(headerValue(agreed.headers, 'location') ?? '').searchParams.get('code') ?? '';
	const exchange = {
		...client,
		redirect_uri: sentUri,
		client_secret: 'viewer-secret',
		grant_type: 'authorization_code',
		code
	};
	const tokens = await send('POST', '/ws/oauth2/token/', exchange);
	const token = /"access_token":\s*"([^"]+)"/.exec(tokens.body)?.[1];
	const character = await send('GET', '/ws/v2.0/character/Mara%20Vell', undefined, token);
	const remaining = headerValue(character.headers, 'x-ratelimit-remaining');
	const log = await send('GET', '/control/traffic');
	return { entries: v.parse(traffic, JSON.parse(log.body)).entries, remaining };
}

const [rejected = [], accepted = []] = createFlows('Mara Vell');

test.each([
	['the rejected flow', rejected, `${redirect_uri}/`],
	['the accepted flow', accepted, redirect_uri]
])('%s of the demo matches the service: requests, statuses, checks and what differs', async (_, flow, sentUri) => {
	const { entries, remaining } = await runFlow(sentUri);
	let from = 0;
	for (const [index, { result, message }] of flow.entries()) {
		if (result === undefined) continue;
		const back = message.label.startsWith('303') ? 'POST /ws/oauth2/auth/' : flow[index - 1]?.message.label;
		const at = entries.findIndex(({ request, response }, entry) => {
			const line = `${request.method} ${request.target.split('?')[0] ?? ''}`;
			return entry >= from && line === back && response.status === result.status;
		});
		const { trace = [] } = entries[at] ?? {};
		expect(message.label).toMatch(new RegExp(`^${String(result.status)} `));
		expect(trace.filter(({ outcome }) => outcome === 'passed').length, message.label).toBe(result.passed);
		const failed = trace.find(({ outcome }) => outcome === 'failed');
		expect(failed?.id).toBe(result.mistake?.id);
		expect(failed?.found).toBe(result.mistake && origin + result.mistake.found);
		expect(failed?.expected).toBe(result.mistake && origin + result.mistake.expected);
		if (result.remaining !== undefined) expect(remaining).toBe(String(result.remaining));
		from = at + 1;
	}
});
