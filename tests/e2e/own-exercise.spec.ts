import { readFile } from 'node:fs/promises';
import { allow, chooseAccount, deny, hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { goOn, lookUp, stateOf, stepIsDone } from './learn.ts';
import { expectUsable } from './reflow.ts';

test.use({ settings: { CLASS_SEATS: '2' } });

test('an instructor writes an exercise, corrects a mistake, tries it, and a student solves it', async ({
	page,
	browser,
	server
}) => {
	test.slow();
	const at = (place: string) => page.locator(`[data-place="${place}"]`).getByRole('textbox').first();
	const mistakes = page.getByRole('region', { name: 'Use this exercise' }).getByRole('listitem');
	const preview = page.frameLocator('iframe');

	await test.step('the form names a mistake at its field and at its line', async () => {
		await page.goto('/studio');
		await hydrated(page);
		await page.getByRole('link', { name: 'Write an exercise' }).click();
		await page.getByLabel('Begin with').selectOption('Empty exercise');
		const texts = {
			title: 'Look at one character',
			id: 'One Character',
			goal: 'You read the character Mara Vell.',
			'text.0': 'The viewer reads a character after a sign-in.',
			'steps.0.title': 'Look it up',
			'steps.0.text': 'Sign in as `player-one`, and look up **Mara Vell**.',
			'steps.0.conditions.0.label': 'A character was read',
			'steps.0.conditions.0.unmet': 'No character was read yet.',
			'learnt.title': 'A token reads a character',
			'learnt.text': 'The viewer sent its access token.'
		};
		await expect(mistakes).toHaveCount(Object.keys(texts).length);
		await page.getByRole('button', { name: '1. New' }).click();
		await page.getByRole('button', { name: '1. code_issued' }).click();
		for (const [place, text] of Object.entries(texts)) await at(place).fill(text);
		await page.locator('[data-place="steps.0.conditions.0.shows"]').getByLabel('Kind').selectOption('Resource read');
		await page.getByRole('button', { name: 'Tools' }).click();
		await page.locator('[data-place="steps.0.tools.0"]').getByLabel('Kind').selectOption('Sign in');
		await page.getByRole('button', { name: 'Add to tools' }).click();
		await page.locator('[data-place="steps.0.tools.1"]').getByLabel('Kind').selectOption('Look up');
		await at('steps.0.tools.1.name').fill('Mara Vell');
		await expect(mistakes).toHaveText([/^line \d+, id: Use 1 to 30 of the characters/]);
		await expectUsable(page, 'main');
		await at('title').focus();
		await mistakes.getByRole('button').click();
		await expect(at('id')).toBeFocused();
		await expect(at('id')).toHaveAccessibleDescription(/Use 1 to 30 of the characters/);
		await expect(page.getByRole('button', { name: 'Download' })).toBeDisabled();
		await at('id').fill('one-character');
		await expect(mistakes).toHaveCount(0);
	});

	await test.step('the preview is the stage, and follows the form and the text', async () => {
		await expect(preview.getByRole('heading', { name: 'Look at one character' })).toBeVisible();
		await page.getByText('JSON', { exact: true }).click();
		const text = page.getByLabel('lesson.json');
		await text.fill((await text.inputValue()).replace('"title": "Look at one', '"title": "Read one'));
		await expect(preview.getByRole('heading', { name: 'Read one character' })).toBeVisible();
		await preview.getByRole('button', { name: 'Start', exact: true }).click();
		await expect(preview.getByText('Step 1 of 1')).toBeVisible();
	});

	const [download] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Download' }).click()
	]);
	expect(download.suggestedFilename()).toBe('one-character.json');
	const buffer = await readFile(await download.path());

	const code = await test.step('a class has the exercise', async () => {
		await page.getByRole('link', { name: 'Open a class' }).click();
		await page.getByLabel('Name').fill('Course');
		await page.getByLabel('Seats').fill('2');
		const file = { name: 'exercise.json', mimeType: 'application/json', buffer };
		await page.getByLabel('Add a lesson file').setInputFiles(file);
		await expect(page.getByRole('button', { name: 'Remove Read one character' })).toBeVisible();
		await page.getByRole('button', { name: 'Open class' }).click();
		await page.getByRole('link', { name: 'Open board' }).click();
		await page.waitForURL(/\/class\/\w{6}$/);
		return /\w{6}$/.exec(page.url())?.[0] ?? '';
	});

	await test.step('a student takes a wrong step, solves it, and has it on the certificate', async () => {
		const student = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
		await student.goto(`${server.origin}/join`);
		await hydrated(student);
		await student.getByLabel('Code').fill(code);
		await student.getByRole('button', { name: 'Join', exact: true }).click();
		await student.getByRole('link', { name: 'Start exercise' }).click();
		await expect(student.getByRole('heading', { name: 'Read one character' })).toBeVisible();
		await goOn(student);
		const url = student.url();
		const state = stateOf(student);
		await expect(state).toContainText('Step 1 of 1');
		await student.getByRole('button', { name: 'Sign in with Tollgate' }).click();
		await chooseAccount(student, 'player-one');
		await deny(student);
		await student.waitForURL(url);
		await expect(student.getByText('You denied access')).toBeVisible();
		await expect(state.locator('.next')).toBeDisabled();
		await student.getByRole('button', { name: 'Sign in with Tollgate' }).click();
		await allow(student);
		await student.waitForURL(url);
		await lookUp(student);
		await stepIsDone(student);
		await goOn(student);
		await expect(state).toContainText('A token reads a character');
		await student.goto(`${server.origin}/learn/certificate`);
		await expect(student.getByRole('main')).toContainText('Read one character');
		await expect(page.getByRole('grid', { name: 'Seats' })).toContainText('Read one character');
	});
});
