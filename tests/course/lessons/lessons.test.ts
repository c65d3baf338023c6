import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultSettings } from '#api/control/settings.ts';
import { mergeSettings } from '#service/world/seed.ts';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import { chapters } from '#course/lessons/lesson.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { shownRun, stepsOf } from '#course/lessons/evaluation/step.ts';
import { reviewsOf } from '#course/lessons/model/review.ts';
import { openLesson } from './lesson-sandbox.ts';
import { loadRuns } from './runs.ts';

afterEach(() => vi.unstubAllGlobals());

const words = (text: string) => text.split(/\s+/).length;

it('the minutes of the chapters add up to those of all lessons', () => {
	const sum = (lessons: readonly { readonly minutes: number }[]) =>
		lessons.reduce((total, { minutes }) => total + minutes, 0);
	const byChapter = chapters.map((chapter) => sum(allLessons.filter((lesson) => lesson.chapter === chapter)));
	expect(Math.min(...byChapter)).toBeGreaterThan(0);
	expect(byChapter.reduce((total, minutes) => total + minutes, 0)).toBe(sum(allLessons));
});

describe.each(allLessons)('lesson $id', ({ id, chapter, goal, minutes }) => {
	it('speaks the dialect of its chapter, whatever the world of the server says', async () => {
		const { lesson } = await load();
		const settings = mergeSettings(defaultSettings, lesson.start?.settings ?? {});
		expect(settings.dialect).toBe(chapter === 'Today’s standards' ? 'standard' : 'specification');
	});

	const load = async () => {
		const [lesson, script] = [await loadLesson(id), await loadScript(id)];
		if (lesson === undefined || script === undefined) throw new Error(`src/course/lessons/scripts.ts has no ${id}`);
		return { lesson, script };
	};

	it('is complete', async () => {
		const { lesson } = await load();
		const ids = lesson.conditions.map((condition) => condition.id);
		expect(minutes).toBeLessThanOrEqual(10);
		const { prediction, explanation, stage: read } = lesson;
		const texts = [
			...read.intro,
			prediction.question,
			...prediction.options.map(({ text }) => text),
			...read.steps.map(({ text }) => text),
			explanation,
			read.question.text,
			read.learnt.text
		];
		// 150 words a minute, half a minute for what a step does, and half a minute each for the guess and the question.
		const least = words(texts.join(' ')) / 150 + read.steps.length / 2 + 1;
		expect(minutes, `about ${least.toFixed(1)} minutes`).toBeGreaterThanOrEqual(Math.floor(least));
		expect(minutes, `about ${least.toFixed(1)} minutes`).toBeLessThanOrEqual(Math.ceil(2 * least));
		expect(new Set(ids).size).toBe(ids.length);
		expect(new Set(lesson.conditions.map(({ unmet }) => unmet)).size).toBe(ids.length);
		expect(words(lesson.explanation)).toBeLessThanOrEqual(60);
		expect(ids).toContain(lesson.prediction.shownBy);
		const { stage } = lesson;
		// Each step is ticked by a condition, in their order, and the last one ends the lesson.
		const ticks = stage.steps.map(({ condition }) => ids.indexOf(condition));
		expect(ticks).toEqual([...new Set(ticks)].sort((one, other) => one - other));
		expect([ticks.includes(-1), ticks.at(-1)]).toEqual([false, ids.length - 1]);
		expect(ids).toContain(stage.question.solution.condition);
		expect(stage.findings.length).toBeGreaterThanOrEqual(2);
		expect(stage.findings.map(({ condition }) => condition)).toContain(prediction.shownBy);
		// No text before the prediction has the right option or a response, and none is a verb of success.
		const before = [goal, ...stage.intro, ...stage.findings.map(({ question }) => question)].join(' ').toLowerCase();
		const right = prediction.options.find(({ isRight }) => isRight)?.text ?? '';
		for (const text of [right, ...stage.findings.map(({ response }) => response)])
			expect(before).not.toContain(text.toLowerCase().replace(/\.$/, ''));
		expect(before).not.toMatch(/\b(?:explain why|useless|worthless)\b/);
		expect(words(stage.intro.join(' '))).toBeLessThanOrEqual(80);
		for (const term of stage.terms) expect(stage.intro.join(' ').toLowerCase()).toContain(term.toLowerCase());
		expect((await loadRuns(id)).nearMisses.length).toBeGreaterThanOrEqual(3);
		for (const { options } of [lesson.prediction, ...reviewsOf(id)]) {
			expect(options.length).toBeGreaterThanOrEqual(2);
			expect(options.filter(({ isRight }) => isRight)).toHaveLength(1);
			expect(new Set(options.map(({ feedback }) => feedback)).size).toBe(options.length);
		}
		for (const question of reviewsOf(id))
			expect(question.askedIn.filter((other) => !allLessons.some((one) => one.id === other))).toEqual([]);
	});

	it('its script meets every condition, and what follows takes nothing away', async () => {
		const { lesson, script } = await load();
		const { client, evidence } = await openLesson(lesson);
		expect(evaluate(lesson, await evidence()).missing?.id, 'at the start').toBe(lesson.conditions[0]?.id);
		await script(client);
		const { shown, missing } = evaluate(lesson, await evidence());
		expect(missing?.unmet).toBeUndefined();
		const nothing = { entries: [], entered: [] };
		expect(evaluate(lesson, nothing, shown).missing).toBeUndefined();
		const { entries } = await evidence();
		const { comparison } = lesson.prediction;
		const conditions = lesson.conditions.map((one) => one.id);
		const steps = stepsOf({ steps: lesson.stage.steps, conditions, shown, entries });
		const rows = comparison?.rows(shownRun(entries, shown, steps));
		for (const [label, ...values] of rows ?? []) {
			// Before it is requested, nothing says what is left of the limit for the limits.
			if (label === 'Requests for the limits left') continue;
			expect(values, label).not.toContain(undefined);
		}
	});

	it('its near misses leave it open, and say what is missing', async () => {
		const [{ lesson }, { nearMisses }] = [await load(), await loadRuns(id)];
		for (const { name, missing, run } of nearMisses) {
			const { client, evidence } = await openLesson(lesson);
			await run(client);
			expect(evaluate(lesson, await evidence()).missing?.id, name).toBe(missing);
		}
	});
});
