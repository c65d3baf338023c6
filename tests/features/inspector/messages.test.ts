import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainFailure } from '#features/inspector/explanations/explain.ts';
import { splitFollowable } from '#features/inspector/values.ts';
import { prettyBody, readParameters } from '#features/inspector/message/http-message.ts';
import type { CredentialEvent, TraceLine } from '#api/control/traffic.ts';
import { logged } from './logged-exchange.ts';

test('reads the parameters that were written', () => {
	const pair = fc.tuple(fc.stringMatching(/^[^\ud800-\udfff]{1,8}$/), fc.stringMatching(/^[^\ud800-\udfff]{0,8}$/));
	fc.assert(
		fc.property(fc.array(pair), (list) => {
			expect(readParameters(new URLSearchParams(list).toString())).toEqual(list);
		})
	);
});

test('indents JSON and XML, and leaves a body alone that was cut off', () => {
	expect(prettyBody('{"a":[1]}', 'json')).toBe('{\n  "a": [\n    1\n  ]\n}');
	expect(prettyBody('{"a":', 'json')).toBeUndefined();
	expect(prettyBody('<?xml version="1.0"?><OAuth><error>a</error><empty/><none></none></OAuth>', 'xml')).toBe(
		'<?xml version="1.0"?>\n<OAuth>\n  <error>a</error>\n  <empty/>\n  <none></none>\n</OAuth>'
	);
	expect(prettyBody('<OAuth><error>', 'xml')).toBeUndefined();
});

test('finds labels, client ids and redirect URIs in a message, and loses no text', () => {
	const entry = logged();
	const parts = splitFollowable(entry.request.body, entry);
	expect(parts.map(({ text }) => text).join('')).toBe(entry.request.body);
	expect(parts.flatMap(({ follows }) => follows ?? [])).toEqual([
		'character-viewer',
		'client secret 1',
		'code 3',
		'https://client.example/cb'
	]);
});

test('text of a client that looks like a label stays text', () => {
	const entry = logged();
	for (const text of ['‹code 4›', '‹code 3›', '‹code 3 AAAAAA…›', '‹admin key 1›'])
		expect(splitFollowable(text, entry)).toEqual([{ text }]);
});

const issued = (more: Partial<Extract<CredentialEvent, { type: 'issued' }>> = {}) =>
	logged({
		credentials: [
			{
				type: 'issued',
				kind: 'access_token',
				id: 'digest',
				grant: 'g',
				family: 'f',
				scopes: [],
				expires: 2000,
				...more
			}
		]
	});
const rejected = (check: string) => {
	const line: TraceLine = { id: check, name: '', section: '', outcome: 'failed', detail: '', duration_us: 0 };
	const values = [{ label: 'access token 7', preview: 'abcdef…', id: 'digest' }];
	return logged({ seq: 5, at: 3000, trace: [line], values });
};

test('the log tells an expired, a revoked and a confused token from an unknown one', () => {
	const entry = rejected('access_token.known');
	expect(explainFailure(entry, [])?.explanation?.[0]).toMatch(/^This sandbox has no such access token/);
	const expired = explainFailure(entry, [issued()]);
	expect(expired?.explanation?.[0]).toMatch(/expired before this request/);
	expect(expired?.history).toBe(
		'access token 7 expired at 1 Jan 1970, 00:00:02 UTC. The request came at 1 Jan 1970, 00:00:03 UTC, by the sandbox clock.'
	);
	const revocation = logged({
		seq: 3,
		id: 'r3',
		credentials: [{ type: 'ended', kind: 'grant', id: 'g', reason: 'revoked' }]
	});
	expect(explainFailure(entry, [issued(), revocation])?.history).toBe('access token 7 was revoked by request r3.');
	expect(explainFailure(rejected('token.refresh_token_known'), [issued()])?.history).toBe(
		'access token 7 was issued as access token, not as refresh token.'
	);
});

test('explains no success', () => {
	expect(explainFailure(logged(), [])).toBeUndefined();
});
