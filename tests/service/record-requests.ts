import * as v from 'valibot';
import type { TestResponse } from '../conformance/response.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import { registerClient } from '../conformance/standard.ts';
import type { TestService } from './test-service.ts';

export const limitsOf = (from: Sandbox, access_token: string, ...headers: string[]) =>
	from.get('/ws/v2.0/ratelimits', 'Authorization', `OAuth ${access_token}`, ...headers);

const json = ['Content-Type', 'application/json'];

export async function file(from: Sandbox): Promise<number> {
	const body = JSON.stringify({ reason: 'b', resolution: 'c' });
	return (await from.send({ method: 'POST', target: '/control/tickets', headers: json, body })).status;
}

export async function register(from: Sandbox): Promise<string> {
	await from.changeSettings({ dialect: 'standard', dynamic_registration: true });
	const response = await registerClient(from, { redirect_uris: ['https://client.example/cb'] });
	return response.as(v.object({ client_id: v.string() })).client_id;
}

export function createFrom({ transport }: TestService, from: string): Promise<Sandbox> {
	return Sandbox.create({ ...transport, send: (sent) => transport.send({ ...sent, from }) });
}

export function shareOf(at: Sandbox): Promise<TestResponse> {
	const preset = { format: 'tollgate-preset', version: 1, start: { path: '/viewer' } };
	return at.control('POST', 'shares', { preset, days: 1 });
}
