import { expect as baseExpect, type FrameLocator, type Locator } from '@playwright/test';
import { expect } from '../../e2e/fixtures.ts';
import { frameOf } from '../../e2e/partner-site.ts';
import { test } from '../../e2e/partner-test.ts';
import type { Learner, OtherTab, SignInOptions } from '../../course/lessons/runs.ts';
import { mouse } from './hands.ts';
import { lessonIds, loadWalkedLesson } from './lessons.ts';

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The window with pages of the service, in the frame. */
class ServiceWindow implements OtherTab {
	protected readonly service: FrameLocator;

	constructor(protected readonly frame: FrameLocator) {
		this.service = frame.frameLocator('iframe');
	}

	press(name: string): Promise<void> {
		return this.pressIn(this.service.locator('body'), name);
	}

	async see(text: string): Promise<void> {
		const here = this.frame.getByText(text).filter({ visible: true }).first();
		const there = this.service.getByText(text).first();
		await expect(async () => expect((await here.isVisible()) || (await there.isVisible())).toBe(true)).toPass();
	}

	async signIn(username: string): Promise<void> {
		const account = this.service.getByRole('button', { name: username });
		const allow = this.service.locator('button[value=approve]');
		const page = this.frame.locator('.overlay');
		await baseExpect(account.or(allow).first()).toBeVisible();
		if (!(await allow.isVisible())) await account.click();
		await expect(async () => expect((await allow.isVisible()) || !(await page.isVisible())).toBe(true)).toPass();
		if (await allow.isVisible()) await allow.click();
	}

	async release(changes: Readonly<Record<string, string>> = {}): Promise<void> {
		const held = this.frame.getByRole('dialog', { name: 'Held message' });
		for (const [name, value] of Object.entries(changes)) await held.getByLabel(name, { exact: true }).fill(value);
		const isChanged = Object.keys(changes).length > 0;
		await held.getByRole('button', { name: isChanged ? 'Release with changes' : 'Release unchanged' }).click();
	}

	async address(pattern: RegExp): Promise<string> {
		const text = this.frame.locator('.overlay');
		await expect(text).toContainText(pattern);
		return new RegExp(`\\S*${pattern.source}\\S*`).exec(await text.innerText())?.[0] ?? '';
	}

	/** A closed window is opened again. */
	reload(): Promise<void> {
		return this.frame.getByRole('button', { name: /^(?:Reload|Open the closed page again)$/ }).click();
	}

	/** It may have closed itself. */
	async close(): Promise<void> {
		const close = this.frame.getByRole('button', { name: 'Close the window' });
		if (await close.isVisible()) await close.click();
	}

	protected async pressIn(within: Locator, name: string): Promise<void> {
		const pattern = new RegExp(`^\\s*${escaped(name)}(\\s|$)`);
		const target = within
			.getByRole('button', { name: pattern })
			.or(within.getByRole('link', { name: pattern }))
			.or(within.locator('summary').filter({ hasText: pattern }));
		await target.first().click();
	}
}

/** A learner in a frame of another site. */
class FrameLearner extends ServiceWindow implements Learner {
	readonly baseUrl = '';

	get state() {
		return this.frame.getByRole('region', { name: 'State of the lesson' });
	}

	override press(name: string): Promise<void> {
		return this.pressIn(this.frame.getByRole('region', { name: 'Tool' }), name);
	}

	override async signIn(username: string, { isHeld = false }: SignInOptions = {}): Promise<void> {
		await super.signIn(username);
		if (isHeld) await this.release();
		await expect(this.frame.locator('.overlay')).toBeHidden();
	}

	async next(): Promise<void> {
		await expect(this.state.getByRole('status').filter({ hasText: 'Done.' })).toBeVisible({ timeout: 60_000 });
		await this.close();
		await this.goOn();
	}

	async move(steps: number): Promise<void> {
		const button =
			steps < 0 ? this.state.getByRole('button', { name: 'Back', exact: true }) : this.state.locator('.next');
		for (let step = 0; step < Math.abs(steps); step++) await button.click();
	}

	goOn(): Promise<void> {
		return this.state.locator('.next').click();
	}

	choose(group: string, option: string): Promise<void> {
		const radios = this.frame.getByRole('group', { name: group, exact: true });
		return mouse.choose(radios.getByRole('radio', { name: option, exact: true }));
	}

	select(list: string, option: string): Promise<void> {
		return mouse.select(this.frame.getByLabel(list, { exact: true }), option);
	}

	async turn(name: string, isOn: boolean): Promise<void> {
		const control = this.frame.getByRole('switch', { name, exact: true });
		if ((await control.isChecked()) !== isOn) await control.click();
		await expect(control).toBeChecked({ checked: isOn });
	}

	enter(field: string, value: string): Promise<void> {
		return this.#field(field).fill(value);
	}

	read(field: string): Promise<string> {
		return this.#field(field).inputValue();
	}

	async pressForTab(name: string): Promise<OtherTab> {
		await this.press(name);
		return new ServiceWindow(this.frame);
	}

	async header(name: string): Promise<string> {
		const text = await this.frame.getByLabel('Headers', { exact: true }).innerText();
		return new RegExp(`^${escaped(name)}: (.+)$`, 'm').exec(text)?.[1] ?? '';
	}

	#field(name: string) {
		return this.frame.getByRole('main').getByLabel(name, { exact: true });
	}
}

for (const id of lessonIds) {
	test(`lesson ${id} is done in a frame of another site, which hears of each step`, async ({
		page,
		server,
		partner
	}) => {
		const { lesson, walk } = await loadWalkedLesson(id);
		partner.show(frameOf(`${server.origin}/embed/lesson/${id}`));
		await page.goto(partner.origin);
		const frame = page.frameLocator('iframe');
		const learner = new FrameLearner(frame);
		await frame.getByRole('button', { name: 'Start', exact: true }).click();
		const wrong = lesson.prediction.options.find(({ isRight }) => isRight !== true);
		const text = (wrong?.text ?? '').replace(/`|\*\*/g, '');
		await mouse.choose(frame.getByRole('radio', { name: text, exact: true }));
		await learner.goOn();
		await walk(learner);
		const types = () => page.evaluate('got.map(({ type }) => type)');
		await expect.poll(types).toContain('completed');
		const steps = await page.evaluate('got.filter(({ type }) => type === "step").at(-1)');
		expect(steps).toMatchObject({ step: lesson.stage.steps.length, of: lesson.stage.steps.length });
	});
}
