import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { failedAt, issued } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import type { Evidence, Visit } from '#course/lessons/evaluation/condition.ts';
import type { Shown } from '#course/lessons/evaluation/condition.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { noticeFor, spendsOf, type Notice, type Repair } from '#course/lessons/evaluation/notice.ts';
import { asksFor, isDenied, isMessage, stepsOf } from '#course/lessons/evaluation/step.ts';
import { mergeEntries } from '#course/lessons/model/lesson-store.svelte.ts';
import type { Lesson } from '#course/lessons/lesson.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';
import { openWindow } from '#course/lessons/stage/stage-tools.svelte.ts';
import { askForCodes, decide, poll, pollTwice } from '../scripts/device-codes.ts';
import { onPort } from '../scripts/no-secrets-on-a-laptop.ts';
import { exchangeToken, narrow, ownToken, userToken, wide } from '../scripts/token-exchange.ts';
import { allow, open, push, pushAndWiden } from '../scripts/pushed-request.ts';
import { choose } from '../scripts/window-edge.ts';
import { openLesson } from '../lesson-sandbox.ts';
import { fromPage, record } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

async function load(id: string): Promise<Lesson> {
	const lesson = await loadLesson(id);
	if (lesson === undefined) throw new Error(`There is no lesson ${id}`);
	return lesson;
}

/** What the page shows of a run: its steps, and the notice of the open one. */
function pageOf(
	lesson: Lesson,
	evidence: Evidence,
	visits: readonly Visit[] = [],
	changedAfter?: number,
	earlier?: Shown
) {
	const result = evaluate(lesson, { ...evidence, visits }, earlier);
	const conditions = lesson.conditions.map(({ id }) => id);
	const steps = stepsOf({
		steps: lesson.stage.steps,
		conditions,
		shown: result.shown,
		entries: evidence.entries,
		visits
	});
	const notice = noticeFor(steps, result, evidence, changedAfter);
	return { result, steps, notice, open: steps.find(({ isDone }) => !isDone) };
}

/** Whether what a notice says is a fact of the log, and whether its button leads to another state. */
function expectTrue({ result, steps, notice, open: step }: ReturnType<typeof pageOf>): void {
	if (notice === undefined || step === undefined) return;
	const { kind, cause, repair } = notice;
	const messages = kind === 'mistake' ? step.entries : step.attempts;
	expect(cause, 'the newest request').toBe(messages.at(-1));
	const facts: Readonly<Record<Notice['kind'], boolean>> = {
		denied: isDenied(cause),
		'other-user': result.missing?.user !== undefined && cause.username !== result.missing.user,
		mistake: notice.text !== '',
		spent:
			spendsOf(
				steps.map(({ data }) => data),
				step.index
			) !== undefined,
		window:
			repair?.kind === 'open-step'
				? cause.at - (steps[repair.step]?.attempts.at(-1)?.at ?? Infinity) > 600_000
				: step.attempts.some((entry) => entry.at > cause.at - 10_000 && failedAt(entry, 'rate_limit.not_exceeded'))
	};
	expect(facts[kind], kind).toBe(true);
	const ways: Readonly<Record<Repair['kind'], boolean>> = {
		'sign-out': repair?.kind === 'sign-out' && repair.user === cause.username,
		'open-step': repair?.kind === 'open-step' && repair.step < step.index,
		'new-window':
			repair?.kind === 'new-window' && repair.until > cause.at && repair.until > (rateLimitOf(cause)?.reset ?? 0) * 1000
	};
	if (repair !== undefined) expect(ways[repair.kind], repair.kind).toBe(true);
	if (repair !== undefined && repair.kind !== 'new-window' && repair.step !== undefined)
		expect(repair.step).toBeLessThan(step.index);
}

/** The same exchanges once more, behind a history. */
function again({ entries, entered }: Evidence, more: readonly TrafficEntry[]): Evidence {
	const last = entries.at(-1)?.seq ?? 0;
	const copies = more.map((entry, index) => ({
		...entry,
		seq: last + 1 + index,
		id: `${entry.id} ${last + 1 + index}`
	}));
	return { entries: [...entries, ...copies], entered };
}

const rejected = (entry: TrafficEntry, id: string): TrafficEntry => ({
	...entry,
	response: { status: 400, headers: [], body: '{}' },
	trace: [{ id, name: id, section: '', outcome: 'failed', detail: '', duration_us: 0 }],
	credentials: []
});

/** The check that rejects what was used up. */
const spentChecks = {
	code: 'token.code_not_used',
	reference: 'auth.request_uri_valid',
	'device code': 'token.device_code_known',
	proof: 'dpop.proof_readable',
	assertion: 'client_assertion.time_valid',
	'refresh token': 'token.refresh_token_active',
	'access token': 'token.subject_token_active'
} as const;

describe.each(allLessons)('lesson $id', ({ id }) => {
	it('has no notice on arrival, and a true one with a way out after each mistake in each step', async () => {
		const [lesson, script] = [await load(id), await loadScript(id)];
		if (script === undefined) throw new Error(`There is no script of ${id}`);
		const right = fromPage(await record(lesson, script));
		const { steps } = lesson.stage;
		/** How many exchanges there are when each step is done. */
		const upTo = (count: number): Evidence => {
			const entries = right.entries.slice(0, count);
			return { entries, entered: right.entered.filter(({ after }) => after <= (entries.at(-1)?.seq ?? 0)) };
		};
		const ends: number[] = [];
		for (const { condition } of steps) {
			let [low, high] = [ends.at(-1) ?? 0, right.entries.length];
			while (low < high) {
				const middle = (low + high) >> 1;
				if (evaluate(lesson, upTo(middle)).shown[condition] === undefined) low = middle + 1;
				else high = middle;
			}
			ends.push(low);
		}
		for (const [index, data] of steps.entries()) {
			const before = upTo(ends[index - 1] ?? 0);
			const own = right.entries.slice(ends[index - 1] ?? 0, ends[index]).filter(isMessage);
			const earlier = right.entries.slice(ends[index - 2] ?? 0, ends[index - 1] ?? 0).filter(isMessage);
			const later = right.entries.slice(ends[index], ends[index + 1]);
			const arrived = pageOf(lesson, before);
			if (arrived.open?.index !== index) continue;
			expect([arrived.notice, arrived.open.attempts], `arrival in step ${index + 1}`).toEqual([undefined, []]);
			const user = lesson.conditions.find((condition) => condition.id === data.condition)?.user;
			const others = own.map((entry) => (entry.username === undefined ? entry : { ...entry, username: 'player-two' }));
			const other = pageOf(lesson, again(before, others));
			expectTrue(other);
			const decision = others.findLast((entry) => issued(entry, 'access_token') ?? issued(entry, 'code'));
			if (
				user !== undefined &&
				user !== 'player-two' &&
				decision !== undefined &&
				other.open?.attempts.at(-1)?.username
			)
				expect(other.notice?.kind, `another account in step ${index + 1} of ${id}`).toBe('other-user');
			const consent = own.find(({ request }) => request.body.includes('decision=approve'));
			if (consent !== undefined) {
				const body = consent.request.body.replace('approve', 'deny');
				const { grant: _, ...rest } = consent;
				const denial = { ...rest, request: { ...consent.request, body }, credentials: [] };
				const denied = pageOf(lesson, again(before, [denial]));
				expectTrue(denied);
				if (denied.open?.index === index && asksFor(data, denial))
					expect(denied.notice?.kind, `denial in step ${index + 1}`).toBe('denied');
			}
			// The same press twice, and Back: what is sent for the step before is no attempt of this one.
			const visits = [{ step: index - 1, after: before.entries.at(-1)?.seq ?? 0 }];
			const twice = pageOf(lesson, again(before, earlier), index === 0 ? [] : visits);
			if (
				twice.open?.index === index &&
				index > 0 &&
				earlier.every((entry) => asksFor(steps[index - 1] ?? data, entry))
			)
				expect([twice.notice, twice.open.attempts], `Back from step ${index + 1}`).toEqual([undefined, []]);
			expectTrue(twice);
			expectTrue(pageOf(lesson, again(before, later)));
			expectTrue(pageOf(lesson, again(again(before, later), own)));
			const spends = spendsOf(steps, index);
			const newest = own.findLast((entry) => asksFor(data, entry));
			if (spends !== undefined && newest !== undefined) {
				const failed = again(before, [rejected(newest, spentChecks[spends.what])]);
				const spent = pageOf(lesson, failed);
				expectTrue(spent);
				if (spent.open?.index === index && data.tools.every(({ kind }) => kind === 'request')) {
					expect(spent.notice?.repair, `spent in step ${index + 1}`).toEqual({ kind: 'open-step', step: spends.from });
					const source = right.entries.find((entry) => asksFor(steps[spends.from] ?? data, entry));
					const back = [{ step: spends.from, after: failed.entries.at(-1)?.seq ?? 0 }];
					expect(pageOf(lesson, again(failed, source ? [source] : []), back).notice, 'renewed').toBeUndefined();
					expect(pageOf(lesson, failed, [], failed.entries.at(-1)?.seq).notice, 'changed').toBeUndefined();
				}
			}
			// Reload and a second tab: everything follows from the log and the stored run.
			const seen = pageOf(lesson, again(before, others), visits);
			const copy: [Evidence, Visit[]] = JSON.parse(JSON.stringify([again(before, others), visits]));
			expect(pageOf(lesson, ...copy).notice).toEqual(seen.notice);
		}
	});
});

/** A lesson in its sandbox, and its page. */
async function begin(id: string) {
	const lesson = await load(id);
	const { client, evidence } = await openLesson(lesson);
	// The log forgets, and the page has kept what it had read.
	let [entries, shown]: [readonly TrafficEntry[], Shown] = [[], {}];
	const page = async () => {
		entries = mergeEntries(entries, (await evidence()).entries, 0);
		const now = pageOf(lesson, { entries, entered: [] }, [], undefined, shown);
		shown = now.result.shown;
		return now;
	};
	return { client, page };
}

describe('Twice the limit at the edge', () => {
	/** Presses the button of the notice. */
	async function press(client: ScriptedClient, token: string, notice: Notice | undefined): Promise<void> {
		if (notice?.repair?.kind !== 'new-window') throw new Error('The notice has no button that opens a window.');
		const { until, isOpened } = notice.repair;
		await openWindow(client.control, until, isOpened ? () => client.character(token) : undefined);
	}

	it('opens a new window after a burst at the wrong time, in each step', async () => {
		const { client, page } = await begin('window-edge');
		const token = (await client.signIn()).field('access_token');
		for (const algorithm of ['fixed_window', 'sliding_log'] as const) {
			if (algorithm === 'sliding_log') await choose(client, algorithm);
			await client.read(token, 1);
			const [first] = [(await page()).open?.index ?? 0];
			await client.read(token, 20);
			const wrong = await page();
			expect([wrong.open?.index, wrong.notice?.title]).toEqual([first, 'This window is used up']);
			expectTrue(wrong);
			await press(client, token, wrong.notice);
			expect((await page()).notice).toBeUndefined();
			await client.advance(55 * 60);
			await client.read(token, 20);
			expect((await page()).open?.index).toBe(first + 1);
			// The second burst before the reset, which the button of the notice repairs.
			await client.read(token, 20);
			const early = await page();
			if (early.open?.index !== first + 1) break;
			await press(client, token, early.notice);
			await client.read(token, 20);
			expect((await page()).open?.index).toBe(algorithm === 'fixed_window' ? first + 2 : undefined);
		}
		expect((await page()).open).toBeUndefined();
	});
});

describe('Devices without a browser', () => {
	it('names the account that allowed the codes, and leads to new ones', async () => {
		const { client, page } = await begin('device-codes');
		const codes = await pollTwice(client);
		await decide(client, codes, 'approve', 'player-two');
		const other = await page();
		expect([other.notice?.kind, other.notice?.repair]).toEqual([
			'other-user',
			{ kind: 'sign-out', user: 'player-two', step: 0 }
		]);
		const fresh = await askForCodes(client);
		expect((await page()).notice).toBeUndefined();
		await decide(client, fresh, 'deny');
		expect((await page()).notice?.kind).toBe('denied');
		const right = await askForCodes(client);
		await decide(client, right, 'approve');
		expect((await page()).open?.index).toBe(4);
		// Newer codes than those that were allowed.
		await poll(client, await askForCodes(client));
		expect((await page()).notice).toMatchObject({ title: 'The user has not decided', repair: { step: 3 } });
	});
});

describe('Pushed authorization requests', () => {
	it('leads to a new reference after a denial, another account and a used one', async () => {
		const { client, page } = await begin('pushed-request');
		const again = { kind: 'open-step', step: 0 };
		const first = await pushAndWiden(client);
		await allow(client, first, { decision: 'deny' });
		expect((await page()).notice).toMatchObject({ kind: 'denied', repair: again });
		await open(client, first);
		expect((await page()).notice).toMatchObject({ kind: 'spent', repair: again });
		const second = await push(client);
		expect((await page()).notice).toBeUndefined();
		await allow(client, second, { username: 'player-two' });
		expect((await page()).notice).toMatchObject({
			kind: 'other-user',
			repair: { kind: 'sign-out', user: 'player-two', step: 0 }
		});
		await open(client, second);
		expect((await page()).notice).toMatchObject({ kind: 'spent', repair: again });
		const third = await push(client);
		await allow(client, third);
		expect((await page()).open?.index).toBe(3);
	});
});

describe('A smaller token for a helper', () => {
	it('leads back to the sign-in, where the token of the user has ended with its code', async () => {
		const { client, page } = await begin('token-exchange');
		const actor = await ownToken(client);
		const { code_challenge, code_verifier } = await client.pkce();
		const code = await client.code({ scope: wide, code_challenge, code_challenge_method: 'S256' });
		const token = (await client.exchange(code, client.viewer, { code_verifier })).field('access_token');
		await client.exchange(code, client.viewer, { code_verifier });
		await exchangeToken(client, token, narrow, actor);
		expect((await page()).notice).toMatchObject({ kind: 'spent', repair: { kind: 'open-step', step: 1 } });
		await exchangeToken(client, await userToken(client), narrow, actor);
		expect((await page()).open?.index).toBe(4);
	});
});

describe('Installed apps and PKCE', () => {
	it('says of a code that never was one no more than that it does not work', async () => {
		const { client, page } = await begin('no-secrets-on-a-laptop');
		await client.signIn({}, client.companion);
		await client.code({}, onPort);
		await client.exchange('wrong', onPort);
		expect((await page()).notice).toMatchObject({
			title: 'This code does not work',
			text: 'The response says why. Get another one.',
			repair: { kind: 'open-step', step: 1 }
		});
	});
});

describe('Rate limit by address', () => {
	it('says nothing of a request that was sent before another sign-in, and names the user of the newest one', async () => {
		const { client, page } = await begin('shared-key');
		await client.read((await client.signIn()).field('access_token'), 20);
		const signIn = async (username: string) =>
			(await client.signIn({}, client.viewer, { username })).field('access_token');
		const second = await signIn('player-two');
		const third = await signIn('player-three');
		await client.character(third);
		const other = await page();
		expect(other.notice).toMatchObject({
			title: 'This access token is of player-three',
			text: 'This step needs player-two.',
			repair: { kind: 'sign-out', user: 'player-three', step: 2 }
		});
		await signIn('player-three');
		expect((await page()).notice).toBeUndefined();
		await client.character(second);
		expect((await page()).open?.index).toBe(4);
	});
});

describe('Code replay', () => {
	it('leads back to the sign-in, where the second press of an exchange has ended the token', async () => {
		const { client, page } = await begin('once-too-often');
		const code = await client.code();
		const token = (await client.exchange(code)).field('access_token');
		await client.exchange(code);
		await client.character(token);
		expect((await page()).notice).toMatchObject({
			title: 'This access token does not work',
			repair: { kind: 'open-step', step: 0 }
		});
	});
});
