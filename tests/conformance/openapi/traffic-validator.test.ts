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

it('reads XML by the same schemas', () => {
	const xml = (body: string): RawResponse => ({
		...json({}),
		headers: ['Content-Type', 'application/xml', 'X-Request-Id', 'id'],
		body
	});
	const fields = '<access_token>x</access_token><token_type>OAuth</token_type><scope>character_read</scope>';
	const complete = `<?xml version="1.0"?><OAuth>${fields}<expires_in>3920</expires_in></OAuth>`;
	expect(validator.findDifference(refresh, xml(complete))).toBeUndefined();
	expect(validator.findDifference(refresh, xml(complete.replace('3920', 'soon')))).toContain('must be integer');
	expect(validator.findDifference(refresh, xml(`<OAuth>${fields}</OAuth>`))).toContain(
		"required property 'expires_in'"
	);
	expect(validator.findDifference(refresh, xml(complete.replaceAll('OAuth>', 'Token>')))).toContain('root element');
});

it('finds a method that only a preflight knows', () => {
	const preflight = (methods: string): RawResponse => ({
		status: 204,
		body: '',
		headers: ['Access-Control-Allow-Methods', methods, 'X-Request-Id', 'id']
	});
	const sent = { method: 'OPTIONS', target: '/ws/oauth2/token/' };
	expect(validator.findDifference(sent, preflight('POST, OPTIONS'))).toBeUndefined();
	expect(validator.findDifference(sent, preflight('POST, PUT'))).toContain('PUT, which is not described');
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
