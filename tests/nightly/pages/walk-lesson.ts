import { expect, type Page } from '@playwright/test';
import type { Hands } from './hands.ts';
import type { WalkedLesson } from './lessons.ts';
import { PageLearner } from './page-learner.ts';

/** Opens a lesson from the list, and starts it in its own sandbox. `base` is the address of the application, without a trailing slash. */
export async function startLesson(
	page: Page,
	{ about }: WalkedLesson,
	hands: Hands,
	{
		base = '',
		onpart = async () => {},
		Learner = PageLearner
	}: { base?: string; onpart?: () => Promise<void>; Learner?: typeof PageLearner } = {}
): Promise<PageLearner> {
	await page.goto(`${base}/learn`);
	await hands.press(page.getByRole('listitem').getByRole('link', { name: about.title }));
	const learner = new Learner(page, hands, onpart);
	await expect(learner.state).toContainText('In short');
	await onpart();
	await hands.press(page.getByRole('button', { name: 'Start', exact: true }));
	await page.waitForURL(/~[^/]+\/learn\//);
	await expect(learner.state).toContainText('Predict the result');
	return learner;
}

/** From the prediction of a lesson to its first step, with the first wrong option. */
export async function predictWrongly(page: Page, { lesson }: WalkedLesson, hands: Hands, learner: PageLearner) {
	const wrong = lesson.prediction.options.find(({ isRight }) => isRight !== true);
	await hands.choose(page.getByRole('radio', { name: plain(wrong?.text ?? ''), exact: true }));
	await learner.goOn();
	await expect(learner.state).toContainText('Step 1 of');
}

/** Nothing of the goal is in the page before the prediction. */
async function expectCovered(page: Page, { lesson }: WalkedLesson): Promise<void> {
	const { stage, conditions, explanation } = lesson;
	const goal = [
		explanation,
		stage.result,
		plain(stage.learnt.text),
		...conditions.map(({ label }) => label),
		...stage.steps.map(({ text }) => plain(text))
	];
	const text = await page.evaluate(() => document.body.textContent);
	for (const part of goal) expect(text).not.toContain(part);
}

/** A function that fails where the window scrolls, or Back and Next have moved since its last call. */
function still(page: Page): () => Promise<void> {
	let first: string | undefined;
	return async () => {
		const size = await page.evaluate(() => {
			scrollTo(0, 500);
			const { scrollHeight, scrollWidth } = document.documentElement;
			return { y: scrollY, height: scrollHeight - innerHeight, width: scrollWidth - innerWidth };
		});
		expect(size, page.url()).toEqual({ y: 0, height: 0, width: 0 });
		const state = page.getByRole('region', { name: 'State of the lesson' });
		const boxes = await Promise.all(
			[state.getByRole('button', { name: 'Back', exact: true }), state.locator('.next')].map((button) =>
				button.boundingBox()
			)
		);
		const now = JSON.stringify(boxes);
		first ??= now;
		expect(now).toBe(first);
	};
}

type Options = {
	readonly base?: string;
	/** Who walks it. */
	readonly Learner?: typeof PageLearner;
	/** Looks at each part. */
	readonly look?: (page: Page) => Promise<void>;
};

/** Walks a lesson to its end, with a wrong prediction, and reads its feedback. */
export async function walkLesson(
	page: Page,
	walked: WalkedLesson,
	hands: Hands,
	{ base = '', look, Learner = PageLearner }: Options = {}
): Promise<void> {
	const { lesson, walk } = walked;
	const { options } = lesson.prediction;
	const isStill = still(page);
	const onpart = async () => {
		await isStill();
		await look?.(page);
	};
	const learner = await startLesson(page, walked, hands, { base, onpart, Learner });
	await expectCovered(page, walked);
	await onpart();
	await predictWrongly(page, walked, hands, learner);
	await walk(learner);
	await expect(learner.state).toContainText('Not as you expected.');
	const chosen = options.find(({ isRight }) => isRight !== true);
	await expect(learner.state).toContainText(plain(chosen?.feedback ?? ''));
	await expect(learner.state).toContainText(lesson.explanation);
	await expect(page.getByRole('region', { name: 'Your prediction' })).toContainText(chosen?.implies[0] ?? '');
	const right = options.find(({ isRight }) => isRight === true);
	await expect(page.getByRole('region', { name: 'What the service sent' })).toContainText(right?.implies[0] ?? '');
	await learner.goOn();
	await solve(page, hands);
	await learner.goOn();
	await expect(learner.state).toContainText('Lesson complete');
	await expect(learner.state).toContainText(plain(lesson.stage.learnt.text));
	await page.reload();
	await expect(learner.state).toContainText('Lesson complete');
}

/** Selects one message after the other until it is the right one. */
async function solve(page: Page, hands: Hands): Promise<void> {
	const messages = page.getByRole('region', { name: 'Diagram' }).getByRole('listitem').getByRole('button');
	const right = page.getByRole('heading', { name: 'Correct', exact: true });
	for (let index = 0; index < (await messages.count()); index++) {
		if (await right.isVisible()) return;
		if (index === 0) await hands.press(messages.first());
		else {
			await messages.nth(index - 1).press('ArrowDown');
			await page.keyboard.press('Enter');
		}
	}
	await expect(right).toBeVisible();
}

/** A text of a lesson without its marks. */
function plain(text: string): string {
	return text.replace(/`|\*\*/g, '');
}
