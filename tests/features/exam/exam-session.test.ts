import { ControlApi } from '#client/control-api/control-api.ts';
import { afterEach, expect, it, vi } from 'vitest';
import type { ExamResult } from '#api/exam.ts';
import { ExamSession } from '#features/exam/exam-session.svelte.ts';
import { loadJudged } from '#features/providers/provider-files.ts';
import { ExamStore, type StoredExam } from '#features/exam/stored-exam.ts';
import { orderOf } from '#exam/order.ts';
import { findProvider } from '#service/provider/providers.ts';
import { badResult } from '../../exam/report/example-result.ts';

const api = new ControlApi('https://tollgate.test');

afterEach(() => vi.unstubAllGlobals());

/** An exam that has begun, with a service that cannot be reached. */
function interrupted(result: ExamResult | null = null, provider?: Awaited<ReturnType<typeof loadJudged>>): ExamSession {
	vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
	vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
	const exam: StoredExam = {
		base_url: 'https://tollgate.test/~sandbox',
		client_id: 'my-client',
		kind: 'web',
		dialect: provider === undefined ? 'specification' : 'standard',
		redirect_uri: 'https://client.test/callback',
		characters: [],
		urls: { signIn: '', use: '', signOut: '' },
		seed: 1,
		started: 0,
		prediction: '',
		probes: [{ id: 'warm_up', outcome: 'done' }],
		result,
		isOver: false,
		cited: [],
		history: []
	};
	const window = { open: () => undefined, post: () => undefined, isOpen: () => false };
	return new ExamSession({ exam, store: new ExamStore(''), window, provider });
}

it('an exam that could not go on is over when it is stopped', async () => {
	const session = interrupted();
	await session.run();
	expect([session.error, session.isOver]).toEqual([expect.any(Error), false]);
	session.end();
	expect(session.isOver).toBe(true);
});

it('an exam that could not go on continues at the same step', async () => {
	const session = interrupted();
	const { left } = session;
	await session.run();
	await session.run();
	expect([session.error, session.isOver, session.left]).toEqual([expect.any(Error), false, left]);
});

it('an exam that continues after a reload lists what was shown before', () => {
	const shown = badResult.findings.filter(({ verdict }) => verdict !== 'not_shown');
	const rules = interrupted(badResult).arrivals.map(({ rule }) => rule);
	expect(rules).toHaveLength(shown.length);
	expect(rules[0]).toBe('token.one_refresh');
});

it('an exam of a client of GitHub has the steps that the command has', async () => {
	const ids = interrupted(null, await loadJudged('github', api)).steps.map(({ id }) => id);
	expect(ids.toSorted()).toEqual(
		orderOf(1, 'standard', findProvider('github'))
			.map(({ id }) => id)
			.toSorted()
	);
	expect(ids).not.toContain('lost_refresh');
	expect(interrupted(null, await loadJudged('google', api)).steps.map(({ id }) => id)).toContain('lost_refresh');
});
