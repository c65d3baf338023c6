import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	compareExchanges,
	compareOutcomes,
	suggestComparison,
	type ComparedRow
} from '#features/inspector/compare-exchanges.ts';
import type { TraceLine } from '#api/control/traffic.ts';
import { logged, withBody } from './logged-exchange.ts';

const names = fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,8}$/), { minLength: 1, maxLength: 6 });
const values = fc.stringMatching(/^[A-Za-z0-9 %&=+é]{0,8}$/); // once: to read the pattern takes a few milliseconds
const fields = names.chain((list) => fc.tuple(...list.map((name) => values.map((value) => [name, value]))));
const formOf = (list: string[][]) =>
	new URLSearchParams(list.map(([name = '', value = '']) => [name, value])).toString();
const textsOf = ({ part, name, one, other }: ComparedRow) => [part, name, one?.text, other?.text];
const failed: TraceLine = { id: 'a.b', name: '', section: '', outcome: 'failed', detail: '', duration_us: 0 };

test('an exchange does not differ from itself', () => {
	fc.assert(
		fc.property(fields, (list) => {
			const entry = withBody(formOf(list));
			expect(compareExchanges(entry, entry).filter(({ differs }) => differs)).toEqual([]);
		})
	);
});

test('exactly the field that was changed differs, and both sides agree on it', () => {
	fc.assert(
		fc.property(fields, fc.nat(), (list, at) => {
			const [name = '', value = ''] = list[at % list.length] ?? [];
			const changed = list.map((pair) => (pair[0] === name ? [name, `${value}!`] : pair));
			const [one, other] = [withBody(formOf(list)), withBody(formOf(changed))];
			const differing = compareExchanges(one, other).filter(({ differs }) => differs);
			expect(differing.map(textsOf)).toEqual([['body', name, value, `${value}!`]]);
			const back = compareExchanges(other, one).filter(({ differs }) => differs);
			expect(back.map(textsOf)).toEqual([['body', name, `${value}!`, value]]);
		})
	);
});

test('a field that was left out differs, and the numbers of one-time values do not', () => {
	const rows = compareExchanges(
		withBody('code=‹code 3 GQVJab…›&state=x'),
		withBody('code=‹code 4 abcdef…›', { values: [{ label: 'code 4', preview: 'abcdef…', id: 'x' }] })
	);
	expect(rows.filter(({ differs }) => differs).map(({ name, other }) => [name, other])).toEqual([['state', undefined]]);
	const token = withBody('code=‹access token 1›', { values: [{ label: 'access token 1', preview: '', id: 'x' }] });
	const other = compareExchanges(withBody('code=‹code 3 GQVJab…›'), token);
	expect(other.filter(({ differs }) => differs)).toHaveLength(1);
});

test('compares the checks by outcome and cause, after the request', () => {
	const rows = compareExchanges(logged({ trace: [{ ...failed, outcome: 'passed' }] }), logged({ trace: [failed] }));
	expect(rows.at(-1)?.differs).toBe(true);
	expect(rows.slice(-1).map(textsOf)).toEqual([['check', 'a.b', 'passed', 'failed']]);
});

test('suggests the latest exchange of the same endpoint and application with the opposite outcome', () => {
	const entry = logged({ seq: 9, id: 'failed', trace: [failed] });
	const others = [
		logged({ id: 'first' }),
		logged({ id: 'latest' }),
		logged({ id: 'other-client', client_id: 'other' }),
		logged({ id: 'other-endpoint', endpoint: 'revoke' }),
		logged({ id: 'failed-too', trace: [failed] })
	];
	expect(suggestComparison(entry, [...others, entry])?.id).toBe('latest');
	expect(suggestComparison(others[0] ?? entry, [entry])?.id).toBe('failed');
	expect(suggestComparison(entry, [entry])).toBeUndefined();
});

test('the form of a service is not compared with the request of a client', () => {
	const partsOf = (method: string, endpoint: 'auth' | 'revoke') => {
		const form = { ...withBody('code=x'), endpoint };
		return compareOutcomes({ ...form, request: { ...form.request, method } }, form).map(({ part }) => part);
	};
	expect(partsOf('POST', 'auth')).toEqual(expect.arrayContaining(['method', 'body', 'status']));
	expect(partsOf('GET', 'revoke')).toEqual(expect.arrayContaining(['method', 'status']));
	const ofForm = partsOf('GET', 'auth');
	expect(ofForm).toEqual(ofForm.filter((part) => part === 'status' || part.startsWith('response')));
	expect(ofForm).toContain('status');
});
