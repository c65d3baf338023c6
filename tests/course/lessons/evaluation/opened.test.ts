import { afterEach, expect, it, vi } from 'vitest';
import { loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import { openedIn } from '#course/lessons/evaluation/opened.ts';
import { record } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

/** Each opened request: its members with the check that compares them, where it was reached. */
async function openedOf(id: string) {
	const [lesson, script] = [await loadLesson(id), await loadScript(id)];
	if (lesson === undefined || script === undefined) throw new Error(`There is no lesson ${id}`);
	const { entries } = await record(lesson, script);
	return entries.map((entry) =>
		openedIn(entry)?.members.map(
			({ name, check }) => `${name} ${check?.outcome === 'failed' ? 'failed' : check && 'passed'}`
		)
	);
}

it('opens a proof, and names the member whose check rejects the copy', async () => {
	const [token, used, copy, none] = await openedOf('bound-token');
	expect(token).toEqual([
		'alg passed',
		'typ passed',
		'jwk passed',
		'jti passed',
		'htm passed',
		'htu passed',
		'iat passed'
	]);
	expect(used).toContain('ath passed');
	expect(copy?.filter((member) => member.includes('failed'))).toEqual(['jti failed']);
	expect(none).toBeUndefined();
});

it('opens an assertion, and names the member whose check rejects it', async () => {
	const [right, secret, copy, other] = await openedOf('signed-client');
	expect(right).toEqual(
		expect.arrayContaining(['kid passed', 'iss passed', 'sub passed', 'aud passed', 'exp passed', 'jti passed'])
	);
	expect(secret).toBeUndefined();
	expect(copy?.filter((member) => member.includes('failed'))).toEqual(['jti failed']);
	expect(other?.filter((member) => member.includes('failed'))).toEqual(['aud failed']);
});
