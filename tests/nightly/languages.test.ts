import { expect, it } from 'vitest';
import { goodClients, rowsOf, wrongClients } from '../exam/client-tables.ts';
import { examineProgram, isInstalledHere, type Language } from '../exam/languages.ts';

// Clients in other languages take the exam of the built program, several at the same time.

const here = new Map<Language, boolean>();

/** Why a client cannot be examined here; undefined if it can. */
function missing(program: Language): string | undefined {
	const isThere = here.get(program) ?? isInstalledHere(program);
	here.set(program, isThere);
	return isThere ? undefined : `Needs the packages ${program.needs}.`;
}

const good = rowsOf(goodClients, ({ way }) => way === 'program');
const wrong = rowsOf(wrongClients, ({ way }) => way === 'program');
const options = { timeout: 600_000, concurrent: true };

it.for(good)('fails no rule with seed $seed: $name', options, async ({ program, seed }, { skip, expect }) => {
	if (program === undefined) return;
	const reason = missing(program);
	if (reason !== undefined) skip(reason);
	const { result, printed, exitCode } = await examineProgram(program, seed);
	// A token response does not say who signed in, so no client knows whose refresh token it keeps.
	const accusations = result.findings.filter(
		({ rule, verdict }) => verdict === 'failed' || (verdict === 'advice' && rule !== 'token.own_user')
	);
	expect(accusations, printed).toEqual([]);
	expect(exitCode, printed).toBe(0);
	expect(result.probes?.filter(({ outcome }) => outcome === 'timed_out')).toEqual([]);
	expect(result.counts.passed, printed).toBeGreaterThanOrEqual(program.isInstalled ? 30 : 40);
});

it.for(wrong)('finds $rule: $name', options, async ({ program, mistake, rule }, { skip, expect }) => {
	if (program === undefined) return;
	const reason = missing(program);
	if (reason !== undefined) skip(reason);
	const seed = 1 + program.mistakes.findIndex(([name]) => name === mistake);
	const { result, printed, exitCode } = await examineProgram(program, seed, mistake, ['--only', rule]);
	expect(result.findings, printed).toMatchObject([{ rule, verdict: 'failed' }]);
	expect(exitCode, printed).toBe(1);
});

it('has programs of both kinds', () => expect([good.length > 0, wrong.length > 0]).toEqual([true, true]));
