import { describe, expect, test } from 'vitest';
import { problemOf, type Problem } from '#client/problems.ts';
import { characterOf } from '#client/resources/character.ts';
import { limitsOf } from '#client/resources/ratelimits.ts';
import { treeOfJson } from '#client/xml.ts';
import { characterCall, readXml, Workbench } from './workbench.ts';

/** What comes of a call that is answered so. */
async function answered(body: string, init: ResponseInit): Promise<Problem | undefined> {
	const bench = new Workbench();
	const client = bench.tab('tab-1', { readXml });
	const { id } = await bench.signIn(client);
	bench.service.override = ({ url }) => (url.pathname.includes('/character/') ? new Response(body, init) : undefined);
	return client.resources.call(characterCall(id)).then(
		() => undefined,
		(thrown: unknown) => problemOf(thrown)
	);
}

describe('an answer that is no success', () => {
	test.each([
		[400, 'invalid_request'],
		[403, 'insufficient_scope'],
		[404, 'not_found'],
		[500, 'server_error'],
		[503, 'server_error'],
		[418, 'unreadable']
	])('%i without a word is %s', async (status, code) => {
		expect(await answered('', { status })).toMatchObject({ code, status });
	});

	test('keeps what the service said, and the number by which the service knows it', async () => {
		const body = JSON.stringify({ error: 'odd_thing', error_description: 'Something\nodd.' });
		const problem = await answered(body, { status: 409, headers: { 'x-request-id': 'r-7' } });
		expect(problem).toMatchObject({ code: 'odd_thing', message: 'Something odd.', status: 409, requestId: 'r-7' });
		expect((await answered('', { status: 404 }))?.requestId).toBeUndefined();
	});

	test('in XML reads alike', async () => {
		const headers = { 'content-type': 'application/xml' };
		const body = '<OAuth><error>not_found</error><error_description>No such name.</error_description></OAuth>';
		expect(await answered(body, { status: 404, headers })).toMatchObject({
			code: 'not_found',
			message: 'No such name.'
		});
		expect(await answered('<OAuth><error>', { status: 404, headers })).toMatchObject({
			code: 'not_found',
			message: ''
		});
	});
});

test.each([
	['no JSON', 'hello', 'application/json'],
	['no XML', '<character>', 'text/xml']
])('a success that is %s is no success', async (_, body, type) => {
	expect(await answered(body, { headers: { 'content-type': type } })).toMatchObject({
		code: 'unreadable',
		status: 200
	});
});

describe('the character resource', () => {
	test('may be wrapped, and may hold lists and fields that nobody knows', () => {
		const body = {
			name: 'Mara',
			pets: [{ name: 'Rex', age: 3 }, ['a', 'b']],
			home: { rooms: ['x', { y: 1 }] },
			odd: null
		};
		const lines = [
			{ field: 'pets', value: 'Rex, 3, a, b' },
			{ field: 'rooms', value: 'x, 1' },
			{ field: 'odd', value: 'null' }
		];
		expect(characterOf(body, [])?.lines).toEqual(lines);
		expect(characterOf({ character: body }, [])).toEqual(characterOf(body, []));
	});
});

describe('the records of ratelimits', () => {
	const record = { pattern: '/p', limit: 150, remaining: 149, reset: 1_800_000_000, reset_time: 'then' };

	test.each([
		['no record', 'text'],
		['without a pattern', { ...record, pattern: 7 }],
		['without a limit', { ...record, limit: 'many' }],
		['without a number of calls', { ...record, remaining: undefined }],
		['with a reset that is no time', { ...record, reset: 'soon' }],
		['with a reset beyond all dates', { ...record, reset: 8.64e12 + 1 }]
	])('one that is %s takes no other with it', (_, odd) => {
		expect(limitsOf(treeOfJson(JSON.stringify({ ratelimit: [odd, record] })))).toEqual([
			{ ...record, reset: 1_800_000_000_000 }
		]);
	});

	test('one without a written time has none', () => {
		const { reset_time: _, ...rest } = record;
		expect(limitsOf({ ratelimit: rest })).toMatchObject([{ pattern: '/p', reset_time: '' }]);
	});

	test('there are none in a text, a list or nothing', () => {
		for (const tree of ['text', [], null, undefined, { ratelimits: 'none' }]) expect(limitsOf(tree)).toEqual([]);
	});
});
