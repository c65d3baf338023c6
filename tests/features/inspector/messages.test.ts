import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainFailure } from '#features/inspector/explain-failure.ts';
import { splitFollowable } from '#features/inspector/values.ts';
import { prettyBody, readMembers, readParameters } from '#features/inspector/message/http-message.ts';
import { bodyOf, joinTexts, partsOf, plainText } from '#evidence/message-text.ts';
import type { CredentialEvent, TraceLine } from '#api/control/traffic.ts';
import { logged } from './logged-exchange.ts';

test('reads the parameters that were written', () => {
	const pair = fc.tuple(fc.stringMatching(/^[^\ud800-\udfff]{1,8}$/), fc.stringMatching(/^[^\ud800-\udfff]{0,8}$/));
	fc.assert(
		fc.property(fc.array(pair), (list) => {
			const parameters = readParameters(plainText(new URLSearchParams(list).toString()));
			expect(parameters.map(([name, { text }]) => [name, text])).toEqual(list);
		})
	);
});

test('indents JSON and XML, and leaves a body alone that was cut off', () => {
	const pretty = (body: string, format: 'json' | 'xml') => prettyBody(plainText(body), format)?.text;
	expect(pretty('{"a":[1]}', 'json')).toBe('{\n  "a": [\n    1\n  ]\n}');
	expect(pretty('{"a":', 'json')).toBeUndefined();
	expect(pretty('<?xml version="1.0"?><OAuth><error>a</error><empty/><none></none></OAuth>', 'xml')).toBe(
		'<?xml version="1.0"?>\n<OAuth>\n  <error>a</error>\n  <empty/>\n  <none></none>\n</OAuth>'
	);
	expect(pretty('<OAuth><error>', 'xml')).toBeUndefined();
});

test('indents JSON as JSON.stringify does', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t '), (data, indent) => {
			const written = JSON.stringify(data, undefined, indent);
			// A number is shown as it was sent.
			expect(prettyBody(plainText(written), 'json')?.text).toBe(JSON.stringify(JSON.parse(written), undefined, 2));
		})
	);
});

test('keeps the values of a body at their places when it is indented, and in its members', () => {
	const secret = { label: 'client secret 1', preview: '', id: 'digest of the secret' };
	const code = { label: 'code 3', preview: 'GQVJab…', id: 'digest of the code' };
	for (const [format, before, between, after] of [
		['json', '{"a":"x y","secret":"', '","code": "', '","z":[1,{}]}'],
		['xml', '<a><secret>', '</secret>  <code>', '</code><b>x y</b></a>']
	] as const) {
		const body = joinTexts(before, { text: '••••', value: secret }, between, { text: 'GQVJab…', value: code }, after);
		const found = partsOf(prettyBody(body, format) ?? body).flatMap(({ text, value }) =>
			value ? [[text, value]] : []
		);
		expect(found).toEqual([
			['••••', secret],
			['GQVJab…', code]
		]);
		expect(readMembers(body)?.map(([name, text]) => [name, text.text, text.references.length])).toEqual(
			format === 'xml'
				? undefined
				: [
						['a', '"x y"', 0],
						['secret', '"••••"', 1],
						['code', '"GQVJab…"', 1],
						['z', '[\n    1,\n    {}\n  ]', 0]
					]
		);
	}
});

test('finds labels, client ids and redirect URIs in a message, and loses no text', () => {
	const entry = logged();
	const parts = splitFollowable(bodyOf(entry, 'request'), entry);
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
		expect(splitFollowable(bodyOf({ ...entry, request: { ...entry.request, body: text } }, 'request'), entry)).toEqual([
			{ text }
		]);
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
	expect(explainFailure(entry, [])?.explanation?.why).toMatch(/^This sandbox has no such access token/);
	const expired = explainFailure(entry, [issued()]);
	expect(expired?.explanation?.why).toMatch(/expired before this request/);
	expect(expired?.history).toBe(
		'access token 7 expired at 1 Jan 1970, 00:00:02.000 UTC. The request came at 1 Jan 1970, 00:00:03.000 UTC, by the sandbox clock.'
	);
	const revocation = logged({
		seq: 3,
		id: 'r3',
		at: 2500,
		credentials: [{ type: 'ended', kind: 'grant', id: 'g', reason: 'revoked' }]
	});
	for (const check of ['access_token.known', 'access_token.not_revoked']) {
		const revoked = explainFailure(rejected(check), [issued(), revocation]);
		expect(revoked?.history).toBe('access token 7 was revoked at 1 Jan 1970, 00:00:02.500 UTC, by request r3.');
		expect(revoked?.endedBy).toBe(revocation);
	}
	expect(explainFailure(rejected('token.refresh_token_known'), [issued()])?.history).toBe(
		'access token 7 was issued as access token, not as refresh token.'
	);
});

test('explains no success', () => {
	expect(explainFailure(logged(), [])).toBeUndefined();
});
