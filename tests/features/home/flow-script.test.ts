import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createNodeService } from '#hosts/node-service.server.ts';
import { createFlowScript, limit } from '#features/home/flow-script.ts';
import { headerValue, headerValues } from '#api/headers.ts';
import type { WireResponse } from '#api/message.ts';

const origin = 'https://localhost:8443';
const redirect_uri = `${origin}/viewer/callback`;
const traffic = v.object({
	entries: v.array(
		v.object({
			request: v.object({ method: v.string(), target: v.string() }),
			response: v.object({ status: v.number() }),
			trace: v.array(v.object({ id: v.string(), section: v.string(), outcome: v.string() }))
		})
	)
});

/** Runs the flow of the demo against a service. Returns the traffic log and the remaining calls. */
const flowScript = createFlowScript('Mara Vell');

async function runFlow() {
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
	const exchange = { ...client, client_secret: 'viewer-secret', grant_type: 'authorization_code', code };
	const tokens = await send('POST', '/ws/oauth2/token/', exchange);
	const { access_token } = v.parse(v.object({ access_token: v.string() }), JSON.parse(tokens.body));
	const left: (string | undefined)[] = [];
	for (let call = 0; call <= limit; call += 1) {
		const response = await send('GET', '/ws/v2.0/character/Mara%20Vell', undefined, access_token);
		left.push(headerValue(response.headers, 'x-ratelimit-remaining'));
	}
	const log = await send('GET', '/control/traffic');
	return { entries: v.parse(traffic, JSON.parse(log.body)).entries, left };
}

test('the script of the demo matches the service: requests, statuses, checks and remaining calls', async () => {
	const { entries, left } = await runFlow();
	expect(flowScript.flatMap(({ remaining }) => (remaining === undefined ? [] : [String(remaining)]))).toEqual(left);
	let from = 0;
	for (const [index, { status, checks, message }] of flowScript.entries()) {
		if (status === undefined || checks === undefined) continue;
		const asked = flowScript[index - 1]?.message.label ?? '';
		const at = entries.findIndex(({ request, response }, entry) => {
			const line = `${request.method} ${request.target.split('?')[0] ?? ''}`;
			return entry >= from && line === asked && response.status === status && hasChecks(entries[entry], checks);
		});
		expect(at, `${asked}, ${message.label}`).toBeGreaterThanOrEqual(0);
		expect(message.label).toMatch(new RegExp(`^${String(status)} `));
		from = at + 1;
	}
});

type Entry = v.InferOutput<typeof traffic>['entries'][number];

/** Whether a trace has all of the checks, in this order and with this outcome. */
function hasChecks(entry: Entry | undefined, checks: NonNullable<(typeof flowScript)[number]['checks']>): boolean {
	const places = checks.map((check) =>
		(entry?.trace ?? []).findIndex(({ id, section, outcome }) => {
			return id === check.id && section === check.section && (outcome !== 'failed') === check.passed;
		})
	);
	return places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1));
}
