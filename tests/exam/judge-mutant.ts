import { expect } from 'vitest';
import type { DialectName } from '#api/dialect.ts';
import type { Habit } from './habits.ts';
import type { LibraryRow } from './libraries.ts';
import type { Mutant } from './mutants.ts';
import { ReferenceClient, type ClientSettings } from './reference-client.ts';
import { takeExam } from './take-exam.ts';

/** Examines the reference client without mistakes. No rule must fail. */
export async function judgeGoodClient(seed: number, dialect: DialectName = 'specification'): Promise<void> {
	const create = (settings: ClientSettings) => new ReferenceClient({ ...settings, dialect });
	const { findings, ended, probes } = await takeExam(create, { seed, dialect });
	// The token response of the specification does not say who signed in, so no client knows whose refresh token it keeps.
	const known = dialect === 'specification' ? ['token.own_user'] : [];
	const wrong = findings.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice');
	expect(wrong.map(({ rule, text }) => (known.includes(rule) ? rule : `${rule}: ${text}`))).toEqual(known);
	const least = dialect === 'standard' ? 44 : 46;
	expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(least);
	expect([ended, probes?.filter(({ outcome }) => outcome === 'timed_out')]).toEqual([undefined, []]);
}

/** Examines a client that does something unusual. No rule must fail, and no step reaches its time limit. */
export async function judgeHabits(
	habits: readonly Habit[],
	seed: number,
	dialect: DialectName = 'specification'
): Promise<void> {
	const create = (settings: ClientSettings) => new ReferenceClient({ ...settings, habits, dialect });
	const { findings, probes } = await takeExam(create, { seed, dialect });
	expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
	// The first sends nothing for a while after some steps, the second never refreshes.
	const isRare = habits.includes('circuit breaker') || habits.includes('signs in again in place of a refresh');
	expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(isRare ? 35 : 44);
	expect(probes?.filter(({ outcome }) => outcome === 'timed_out')).toEqual([]);
}

/** Examines a client that uses a library. No rule must fail. */
export async function judgeLibrary(
	{ create, isLenient = false }: LibraryRow,
	seed: number,
	dialect: DialectName = 'specification'
): Promise<void> {
	const client = (settings: ClientSettings) => new ReferenceClient({ ...settings, dialect, library: create(settings) });
	const { findings } = await takeExam(client, { seed, dialect, strict: !isLenient });
	expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
	const least = dialect === 'standard' ? 42 : 44;
	expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(least);
}

/** Examines a wrong client. Its rule must fail, and no other but its followers. Failed rules name requests. */
export async function judgeMutant(
	{ rule, mistakes, habits = [], kind = 'web', verdict = 'failed', followers = [] }: Mutant,
	seed: number,
	dialect: DialectName = 'specification'
) {
	const create = (settings: ClientSettings) => new ReferenceClient({ ...settings, mistakes, habits, dialect });
	const { findings } = await takeExam(create, { seed, kind, dialect });
	const own = findings.find((finding) => finding.rule === rule);
	expect([own?.rule, own?.verdict], own?.text).toEqual([rule, verdict]);
	const failed = findings.filter((finding) => finding.verdict === 'failed');
	const isFollower = (id: string) =>
		followers.some((follower) => follower === id || follower === id.replace(/\..*/, '.*'));
	expect(failed.filter((finding) => finding.rule !== rule && !isFollower(finding.rule))).toEqual([]);
	expect(failed.filter(({ requests }) => requests.length === 0)).toEqual([]);
}
