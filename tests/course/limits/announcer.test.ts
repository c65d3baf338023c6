import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Announcer, announcementInterval } from '#course/limits/limiters/announcer.svelte.ts';
import { acceptedText } from '#course/limits/engine/explain.ts';
import { readQuestion } from '#course/limits/engine/questions.ts';
import { runLimiters } from '#course/limits/engine/run-limiter.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Says a text with each frame of a running clock. @returns what was announced, with its time in milliseconds */
async function announcedIn(announcer: Announcer, milliseconds: number, textAt: (at: number) => string) {
	const announced: (readonly [at: number, text: string])[] = [];
	for (let at = 0; at < milliseconds; at += 16) {
		announcer.say(textAt(at));
		await vi.advanceTimersByTimeAsync(16);
		if (announcer.text !== (announced.at(-1)?.[1] ?? '')) announced.push([at, announcer.text]);
	}
	return announced;
}

it('announces what a running clock shows, at most every five seconds', async () => {
	const announced = await announcedIn(new Announcer(), 22_000, (at) => `At ${at}`);
	expect(announced).toHaveLength(4);
	for (const [index, [at, text]] of announced.entries()) {
		expect(text).toBe(`At ${at}`);
		expect(at - (announced[index - 1]?.[0] ?? 0)).toBeGreaterThanOrEqual(announcementInterval - 16);
	}
});

it('announces the last text of a clock that has stopped, and the next one at once after a pause', async () => {
	const announcer = new Announcer();
	await announcedIn(announcer, 500, (at) => `At ${at}`);
	await vi.advanceTimersByTimeAsync(announcementInterval);
	expect(announcer.text).toBe('At 496');
	await vi.advanceTimersByTimeAsync(announcementInterval);
	announcer.say('Later');
	await vi.advanceTimersByTimeAsync(0);
	expect(announcer.text).toBe('Later');
	announcer.say('Never');
	announcer.stop();
	await vi.advanceTimersByTimeAsync(2 * announcementInterval);
	expect(announcer.text).toBe('Later');
});

it('says how many requests each limiter has accepted so far', async () => {
	const question = readQuestion(new URLSearchParams());
	if (question.view !== 'limiters') throw new Error('It is a question of limiters.');
	const runs = await runLimiters(question.setup, { baseUrl: 'https://tollgate.example', start: Date.UTC(2030, 0, 1) });
	expect(acceptedText([], 0)).toBe('');
	expect(acceptedText(runs, 0)).toBe(
		'At 0 s: fixed window accepted 1, sliding log 1, sliding counter 1, token bucket 1.'
	);
	expect(acceptedText(runs, 72_400)).toBe(
		'At 72 s: fixed window accepted 20, sliding log 11, sliding counter 11, token bucket 14.'
	);
});
