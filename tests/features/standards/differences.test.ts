import { beforeAll, expect, test } from 'vitest';
import { dialectNames } from '#api/dialect.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { deviations, exchangeText } from '#evidence/differences/difference.ts';
import { differences } from '#evidence/differences/differences.ts';
import { DialectPair } from '#features/standards/dialect-pair.ts';
import { createHostlessService } from '../../conformance/hosts/direct.ts';
import { fetchOf } from '../../exam/in-process.ts';

const fetch = fetchOf(createHostlessService().handle);
let pair: DialectPair;
beforeAll(async () => {
	pair = await DialectPair.create({ root: new ControlApi('https://tollgate.test', fetch), fetch, sendsKey: true });
});

test.each(differences)('both dialects respond as documented: $id', async (difference) => {
	// A user can send a difference again.
	for (let times = 0; times < 2; times += 1) {
		const sent = await pair.send(difference);
		for (const dialect of dialectNames) {
			const { response, request, trace } = sent[dialect];
			const found = response === null ? ['no response'] : deviations(difference[dialect].response, response);
			expect({ dialect, found }, `${request.method} ${request.target} ${JSON.stringify(trace.at(-1))}`).toEqual({
				dialect,
				found: []
			});
		}
	}
});

test('a sign-in to both shows two token responses, and changes no difference', async () => {
	const signedIn = await DialectPair.create({
		root: new ControlApi('https://tollgate.test', fetch),
		fetch,
		sendsKey: true
	});
	const { specification, standard } = await signedIn.signIn();
	const types = [specification, standard].map(({ response }) => /"token_type":"(\w+)"/.exec(response?.body ?? '')?.[1]);
	expect(types).toEqual(['OAuth', 'Bearer']);
	for (const difference of differences.filter(({ group }) => group === 'tokens')) {
		const sent = await signedIn.send(difference);
		for (const dialect of dialectNames) {
			const { response } = sent[dialect];
			expect(response && deviations(difference[dialect].response, response), difference.id).toEqual([]);
		}
	}
});

test('ids are unique, and say what differs', () => {
	expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length);
	expect(differences.map(({ id }) => id).filter((id) => !/^[a-z_]+$/.test(id))).toEqual([]);
});

test('the documented exchange is shown as text before anything is sent', () => {
	const text = exchangeText({
		section: '4',
		request: { line: 'POST /token', headers: { Accept: 'a' }, form: { code: '{code}', state: 's' } },
		response: { status: 200, headers: { age: null, vary: '', etag: 'x' }, contains: ['"a"', '"b"'], lacks: ['"c"'] }
	});
	expect(text.split('\n')).toEqual([
		...['POST /token', 'Accept: a', '', 'code={code}', '&state=s', ''],
		...['→ 200', '(no age)', 'vary: …', 'etag: …x…', '… "a" … "b" …', '(no "c")']
	]);
});
