import { expect, type Page } from '@playwright/test';
import type { Hands } from './hands.ts';
import type { WalkedLesson } from './lessons.ts';
import { PageLearner } from './page-learner.ts';

/** Opens a lesson from the list, and starts it in its own sandbox. `base` is the address of the application, without a trailing slash. */
export async function startLesson(
	page: Page,
	{ lesson, about }: WalkedLesson,
	hands: Hands,
	base = ''
): Promise<PageLearner> {
	await page.goto(`${base}/learn`);
	await hands.press(page.getByRole('link', { name: about.title, exact: true }));
	await hands.press(page.getByRole('button', { name: 'Start', exact: true }));
	await page.waitForURL(/~[^/]+\/learn\//);
	const learner = new PageLearner(page, hands, lesson);
	await expect(learner.state).toBeVisible();
	return learner;
}

/** Chooses the first wrong option of the prediction. */
export async function predictWrongly(page: Page, { lesson }: WalkedLesson, hands: Hands): Promise<void> {
	const wrong = lesson.prediction.options.find(({ isRight }) => isRight !== true);
	await hands.choose(page.getByRole('radio', { name: plain(wrong?.text ?? ''), exact: true }));
	await hands.press(page.getByRole('button', { name: 'Save prediction' }).last());
	await expect(page.getByText('Saved. Follow the steps')).toBeVisible();
}

/** Looks at the page of a lesson when it is started, and when all conditions are met. */
type Look = (page: Page, state: 'started' | 'finished') => Promise<void>;

/** Walks a lesson to its end, with a wrong prediction, and reads its feedback. */
export async function walkLesson(
	page: Page,
	walked: WalkedLesson,
	hands: Hands,
	{ base = '', look }: { base?: string; look?: Look } = {}
): Promise<void> {
	const { lesson, walk } = walked;
	const { options } = lesson.prediction;
	const learner = await startLesson(page, walked, hands, base);
	await expect(learner.state).toContainText(lesson.conditions[0]?.unmet ?? '');
	await look?.(page, 'started');
	await predictWrongly(page, walked, hands);
	await walk(learner);
	await expect(learner.state).toContainText('All conditions are met.', { timeout: 60_000 });
	const chosen = options.find(({ isRight }) => isRight !== true);
	for (const option of options)
		await expect(page.getByText(plain(option.feedback))).toBeVisible({
			visible: option.isRight === true || option === chosen
		});
	await expect(page.getByText(lesson.explanation)).toBeVisible();
	await look?.(page, 'finished');
	await page.reload();
	await expect(learner.state).toContainText('All conditions are met.');
}

/** A text of a lesson without its marks. */
function plain(text: string): string {
	return text.replace(/`|\*\*/g, '');
}
