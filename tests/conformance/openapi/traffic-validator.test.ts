import { expect, it } from 'vitest';
import type { RawResponse, TestRequest } from '../transport.ts';
import { TrafficValidator } from './traffic-validator.ts';

const validator = new TrafficValidator();

const refresh: TestRequest = {
	method: 'POST',
	target: '/ws/oauth2/token/',
	headers: ['Content-Type', 'application/x-www-form-urlencoded'],
	body: 'grant_type=refresh_token&refresh_token=x&client_id=y&client_secret=z'
};
const tokens = { access_token: 'x', expires_in: 3920, token_type: 'OAuth', scope: 'character_read' };

function json(body: unknown, status = 200, ...headers: string[]): RawResponse {
	const always = ['Content-Type', 'application/json; charset=utf-8', 'X-Request-Id', 'id'];
	return { status, headers: [...always, ...headers], body: JSON.stringify(body) };
}

it('accepts what the document describes', () => {
	expect(validator.findDifference(refresh, json(tokens))).toBeUndefined();
	const error = { error: 'invalid_grant', error_description: 'The code was already used.' };
	expect(validator.findDifference({ ...refresh, body: 'nonsense' }, json(error, 400))).toBeUndefined();
});

it('finds a field that is missing, not described or of another type', () => {
	const { scope, ...rest } = tokens;
	expect(validator.findDifference(refresh, json(rest))).toContain("required property 'scope'");
	expect(validator.findDifference(refresh, json({ ...tokens, id: scope }))).toContain('additional properties');
	expect(validator.findDifference(refresh, json({ ...tokens, expires_in: '3920' }))).toContain('must be integer');
	const nested = { blacklist: [{ address: '192.0.2.1', since: 1, reason: 'x', extra: 1 }] };
	expect(validator.findDifference({ target: '/control/blacklist' }, json(nested))).toContain('additional properties');
});

it('finds a status, a type, a header and a method that are not described', () => {
	expect(validator.findDifference(refresh, json(tokens, 202))).toBe('the status is not described');
	const text = { status: 200, headers: ['Content-Type', 'text/plain', 'X-Request-Id', 'id'], body: 'x' };
	expect(validator.findDifference(refresh, text)).toBe('the type text/plain is not described');
	const limits = { ratelimits: { version: '1.0', total: 0, ratelimit: [] } };
	expect(validator.findDifference({ target: '/ws/v2.0/ratelimits' }, json(limits))).toContain('X-RateLimit-Limit');
	expect(validator.findDifference({ ...refresh, method: 'PUT' }, json(tokens))).toBe('PUT is not described');
});

it('finds a successful request that is not described', () => {
	const body = refresh.body?.toString().replace('&refresh_token=x', '');
	expect(validator.findDifference({ ...refresh, body: body ?? '' }, json(tokens))).toContain('the request: ');
	const get = { target: '/ws/oauth2/revoke?token=x' };
	expect(validator.findDifference(get, json({ revoked: true }))).toBe('the parameter client_id is missing');
});
