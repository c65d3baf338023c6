import { describe, expect, it } from 'vitest';
import { allLessons, loadLesson } from '#features/lessons/all-lessons.ts';
import type { Option } from '#features/lessons/lesson.ts';
import { reviewFor } from '#features/lessons/model/review.ts';
import { loadRuns, type Learner, type OtherTab, type Walk } from './runs.ts';

/** Reading, in words per minute: slow enough for technical text in a second language. */
const readingSpeed = 200;
/** Finding a control among what a panel says, and using it, in seconds. */
const secondsPerAction = 12;
/** Looking at what a step has changed, in seconds. */
const secondsPerStep = 20;

/** How many controls a learner uses in a walk. */
async function actionsOf(walk: Walk): Promise<number> {
	let actions = 0;
	const act = () => {
		actions++;
		return Promise.resolve();
	};
	const none = () => Promise.resolve();
	const tab: OtherTab = {
		press: act,
		reload: act,
		close: act,
		see: none,
		// The account and the consent.
		async signIn() {
			await act();
			await act();
		},
		address: () => Promise.resolve('https://localhost/?code=c')
	};
	const openTab = async () => (await act(), tab);
	const learner: Learner = {
		...tab,
		pressIfShown: act,
		baseUrl: 'https://localhost',
		open: act,
		choose: act,
		select: act,
		turn: act,
		enter: act,
		shown: none,
		pressForTab: openTab,
		visit: openTab,
		read: () => Promise.resolve('https://localhost/viewer/callback'),
		copy: async () => (await act(), 'token'),
		readHeader: async () => (await act(), '1')
	};
	await walk(learner);
	return actions;
}

const wordsIn = (texts: readonly string[]) => texts.join(' ').split(/\s+/).length;
const wordsOfQuestion = (question: string, options: readonly Option[]) => [
	question,
	...options.map(({ text }) => text),
	// Of the right option, and of a wrong one that was chosen.
	...options.slice(0, 2).map(({ feedback }) => feedback)
];

describe.each(allLessons)('lesson $id', ({ id, goal, minutes }) => {
	it('takes as many minutes as it says', async () => {
		const [lesson, { walk }] = [await loadLesson(id), await loadRuns(id)];
		if (lesson === undefined) throw new Error(`src/features/lessons/${id} has no lesson.ts`);
		const words = wordsIn([
			goal,
			...lesson.steps.map(({ text }) => text),
			...[lesson.prediction, ...reviewFor(id)].flatMap(({ question, options }) => wordsOfQuestion(question, options)),
			...lesson.conditions.flatMap(({ label, unmet }) => [label, unmet]),
			...lesson.goal.map(({ label }) => label),
			lesson.explanation
		]);
		const seconds = (await actionsOf(walk)) * secondsPerAction + lesson.steps.length * secondsPerStep;
		expect(minutes, id).toBe(Math.ceil(words / readingSpeed + seconds / 60));
	});
});
