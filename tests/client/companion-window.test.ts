import { describe, expect, test } from 'vitest';
import { outOfBand, pocketCompanion } from '#client/application.ts';
import type { CodeWindow, Sight } from '#client/browser/code-window.ts';
import { Client, type Surroundings } from '#client/client.ts';
import { OutOfBand } from '#client/page/out-of-band.svelte.ts';
import { SignIn } from '#client/page/sign-in.svelte.ts';
import { MemoryShelf, type Kept } from '#client/shelf.ts';
import type { Session } from '#client/tokens/sessions.ts';
import { gate, sentences, Workbench } from './workbench.ts';

/** The companion's sign-in, with a window and a clock that the test moves. */
async function companion(opens = true, more: Partial<Surroundings> = {}) {
	const bench = new Workbench();
	bench.service.client_secret = 'companion-secret';
	const around = bench.surroundings('tab-1', more);
	const client = new Client(bench.service.base_url, around, pocketCompanion(outOfBand));
	const signIn = new SignIn(client);
	signIn.access_type = 'offline';
	await signIn.prepare();
	const seen: { sight: Sight; addresses: string[]; closed: number } = {
		sight: { kind: 'waiting' },
		addresses: [],
		closed: 0
	};
	const opened: CodeWindow = {
		go: (address) => seen.addresses.push(address),
		look: () => seen.sight,
		focus: () => undefined,
		close: () => (seen.closed += 1)
	};
	const watches = new Set<() => void>();
	const welcomed: Session[] = [];
	const flow = new OutOfBand(client, signIn, {
		open: () => (opens ? opened : undefined),
		often: (work) => {
			watches.add(work);
			return () => watches.delete(work);
		},
		welcome: (session) => welcomed.push(session)
	});
	const state = () => new URL(seen.addresses.at(-1) ?? flow.address).searchParams.get('state');
	const show = async (sight: Sight) => {
		seen.sight = sight;
		for (const look of [...watches]) look();
		await expect.poll(() => flow.stage).not.toBe('exchanging');
	};
	return { bench, client, flow, seen, watches, welcomed, state, show };
}

const code = { name: 'code', value: 'code-number-one' } as const;

describe('the window', () => {
	test('is watched until its title holds the code; state comes from its page', async () => {
		const { bench, flow, seen, watches, welcomed, state, show } = await companion();
		await flow.openWindow();
		expect(flow.stage).toBe('watching');
		await show({ kind: 'waiting' });
		expect(watches.size).toBe(1);
		await show({ kind: 'answer', answer: code, state: state() });
		expect(welcomed).toHaveLength(1);
		expect(flow.stage).toBe('idle');
		expect(seen.closed).toBe(1);
		expect(watches.size).toBe(0);
		expect(bench.service.requests[0]?.form.get('code')).toBe('code-number-one');
	});

	test('may stand open for as long as it takes: the page stays, so nobody counts how long it takes to go', async () => {
		const { bench, flow, seen, state } = await companion();
		await flow.openWindow();
		expect(seen.addresses).toHaveLength(1);
		expect(bench.waited).toEqual([]);
		await flow.cancel();
		await flow.begin();
		expect(new URL(flow.address).searchParams.get('state')).not.toBe(state());
		expect(bench.waited).toEqual([]);
	});

	test.each([
		['another state', 'not-ours', 'state_unknown'],
		['no state', null, 'state_missing']
	])('%s in its page: refused, and nothing is sent', async (_, state, problem) => {
		const { bench, flow, welcomed, show } = await companion();
		await flow.openWindow();
		await show({ kind: 'answer', answer: code, state });
		expect(flow.problem?.code).toBe(problem);
		expect(welcomed).toEqual([]);
		expect(bench.service.requests).toEqual([]);
	});

	test('a refusal is told, and the next sign-in has a state of its own', async () => {
		const { flow, welcomed, state, show } = await companion();
		await flow.openWindow();
		const first = state();
		await show({ kind: 'answer', answer: { name: 'error', value: 'access_denied' }, state: first });
		expect(flow.problem?.code).toBe('access_denied');
		await flow.openWindow();
		expect(flow.problem).toBeUndefined();
		expect(state()).not.toBe(first);
		await show({ kind: 'answer', answer: code, state: state() });
		expect(welcomed).toHaveLength(1);
	});

	test('so has one that is begun before the next state was made', async () => {
		const { closed, open } = gate();
		let held = false;
		const slow = new (class extends MemoryShelf {
			override async read<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined> {
				if (held && key === 'credentials') await closed;
				return super.read(key);
			}
		})();
		const { flow, state, show } = await companion(true, { shelf: slow });
		await flow.openWindow();
		const first = state();
		held = true;
		await show({ kind: 'answer', answer: { name: 'fault', value: 'invalid_scope' }, state: null });
		const opening = flow.openWindow();
		open();
		await opening;
		expect(state()).not.toBe(first);
	});

	test('a request that cannot be served: the page stays open to be read', async () => {
		const { flow, seen, show } = await companion();
		await flow.openWindow();
		await show({ kind: 'answer', answer: { name: 'fault', value: 'invalid_scope' }, state: null });
		expect(flow.problem?.code).toBe('invalid_scope');
		expect(seen.closed).toBe(0);
	});

	test('closed early: the code may still be brought, and another window has another state', async () => {
		const { flow, welcomed, state, show } = await companion();
		await flow.openWindow();
		await show({ kind: 'gone' });
		expect(flow.stage).toBe('gone');
		const first = state();
		await flow.openWindow();
		expect(state()).not.toBe(first);
		await show({ kind: 'gone' });
		await flow.bring('code-number-one');
		expect(welcomed).toHaveLength(1);
	});

	test('pressed twice, one window is opened and one sign-in started', async () => {
		const { bench, flow, seen, show, state, welcomed } = await companion();
		await Promise.all([flow.openWindow(), flow.openWindow()]);
		expect([flow.stage, seen.addresses.length, seen.closed]).toEqual(['watching', 1, 0]);
		expect(await bench.shelf.read('flows')).toHaveLength(1);
		await show({ kind: 'answer', answer: code, state: state() });
		expect(welcomed).toHaveLength(1);
	});

	test('given up: the window closes, nothing is watched or kept waiting', async () => {
		const { flow, seen, watches } = await companion();
		await flow.openWindow();
		await flow.cancel();
		expect([flow.stage, flow.address, seen.closed, watches.size]).toEqual(['idle', '', 1, 0]);
	});
});

describe('by hand', () => {
	test('a window that the browser blocks leads there', async () => {
		const { client, flow, welcomed } = await companion(false);
		await flow.openWindow();
		expect(flow.stage).toBe('blocked');
		expect(flow.address).toContain('/ws/oauth2/auth/?');
		await flow.bring('no code');
		expect(flow.complaint).not.toBe('');
		await flow.bring(' Success,code=code-number-one ');
		expect(welcomed).toHaveLength(1);
		expect(sentences(client.journal.steps)).toContain(
			'noticed: No state comes with a code that a person brings: PKCE alone ties it to this sign-in'
		);
	});

	test('a code that the service refuses is told in words, and the page is ready again', async () => {
		const { bench, flow, welcomed } = await companion();
		bench.service.override = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
		await flow.begin();
		expect(flow.stage).toBe('by-hand');
		await flow.bring('a-code-of-another');
		expect(flow.problem?.code).toBe('invalid_grant');
		expect([flow.stage, welcomed.length]).toEqual(['idle', 0]);
	});
});
