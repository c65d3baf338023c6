import { expect, test } from 'vitest';
import { explanations, sharedExplanations } from '#features/inspector/explanations/explain.ts';
import { soughtKinds } from '#features/inspector/value-history.ts';
import { noResponse } from '#api/message.ts';
import { createEndpoints } from '#service/endpoints.ts';
import { unknownSandbox } from '#service/not-found.ts';
import { SandboxRegistry } from '#service/sandbox-registry.ts';
import { causes, sharedCauses } from '#api/control/causes.ts';
import { createTestService } from '../../service/test-service.ts';

/** Checks that reject no request, and why. */
const cannotFail: Readonly<Record<string, string>> = {
	'cors.origin_compared': 'It only decides who may read the response.',
	'auth.session_loaded': 'A browser without a session is asked to sign in.',
	'auth.consent_required': 'It skips a page.',
	'interaction.session_started': 'It runs after a correct password.',
	'session.loaded': 'A browser without a session is asked to sign in.',
	'account.shown': 'It renders a page.',
	'token.refreshed': 'It runs after every check has passed.',
	'ratelimits.returned': 'It runs after every check has passed.',
	'ratelimiting.returned': 'It runs after every check has passed.'
};

/** Checks that no section requires. */
const withoutSection = /^(?:fault|control|sandbox)\.|^character\.not_a_test_card$/;

const endpoints = [
	...Object.values(
		createEndpoints(new SandboxRegistry(createTestService().options), () => Promise.resolve(noResponse))
	),
	unknownSandbox
];
const checks = new Map(endpoints.flatMap(({ checks }) => checks.map(({ id, section }) => [id, section] as const)));
checks.set('fault.not_injected_after_commit', '');
const causesById: Readonly<Record<string, readonly string[] | undefined>> = causes;
/** Checks that can respond with an error of their own, and fail for several causes, too. */
const responding = ['consent.not_declined_by_test_account', 'character.not_a_test_card'];

const keysOf = (id: string): string[] => {
	if (id in cannotFail) return [];
	const byCause = (causesById[id] ?? []).map((cause) => `${id} ${cause}`);
	return byCause.length === 0 || responding.includes(id) ? [id, ...byCause] : byCause;
};

/** The log may know why a code or token is unknown. */
const historyKeys = Object.entries(soughtKinds).flatMap(([id, kind]) => {
	const ends = kind === 'code' ? ['expired'] : ['replayed', 'revoked', ...(kind === 'access_token' ? ['expired'] : [])];
	return ['other_kind', ...ends].map((cause) => `${id} ${cause}`);
});

test('each check that can fail, and each of its causes, has an explanation, and nothing else has', () => {
	const expected = [...[...checks.keys()].flatMap(keysOf), ...historyKeys];
	expect(Object.keys(explanations).sort()).toEqual(expected.sort());
	expect(Object.keys(sharedExplanations).sort()).toEqual([...sharedCauses].sort());
	for (const id of [...Object.keys(causes), ...Object.keys(cannotFail)]) expect(checks.has(id), id).toBe(true);
});

test('each explanation has a cause, an advice and a line of code, in whole sentences', () => {
	for (const [key, [why, advice, code]] of Object.entries({ ...explanations, ...sharedExplanations })) {
		expect(why, key).toMatch(/^[A-Za-z].{15,}\.$/);
		expect(advice, key).toMatch(/^[A-Z].{6,}\.$/);
		expect(code ?? 'none', key).toMatch(/^[^\n]{4,110}$/);
	}
});

test('no two causes of one check share a text', () => {
	const all = Object.entries(explanations).map(([key, [why]]) => `${key.split(' ', 1)[0] ?? ''}: ${why}`);
	expect(new Set(all).size).toBe(all.length);
});

test('each check that can fail names a section, unless none requires it', () => {
	for (const [id, section] of checks) {
		if (!(id in cannotFail)) expect(section !== '' || withoutSection.test(id), id).toBe(true);
	}
});
