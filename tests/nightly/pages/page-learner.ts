import { expect, type Page } from '@playwright/test';
import type { Learner, OtherTab, SignInOptions } from '../../course/lessons/runs.ts';
import type { Hands } from './hands.ts';

/** A page, and what a user does on it. */
export class UserTab implements OtherTab {
	/** The last address that the user's browser went to, also one that did not load. */
	#address = '';

	constructor(
		protected readonly page: Page,
		protected readonly hands: Hands
	) {
		page.on('request', (request) => {
			if (request.isNavigationRequest()) this.#address = request.url();
		});
	}

	async press(name: string): Promise<void> {
		const pattern = new RegExp(`^\\s*${escaped(name)}(\\s|$)`);
		const { page } = this;
		const summary = page.locator('summary').filter({ hasText: pattern });
		// The list of the steps has buttons with their titles.
		const within = page.getByRole('region', { name: 'Tool' }).or(page.locator('body:not(:has(.stage))'));
		await this.hands.press(
			within
				.getByRole('button', { name: pattern })
				.or(within.getByRole('link', { name: pattern }))
				.or(summary)
		);
	}

	async see(text: string): Promise<void> {
		await expect(this.page.getByText(text).filter({ visible: true }).first()).toBeVisible({ timeout: 60_000 });
	}

	signIn(username: string): Promise<void> {
		return this.#decide(username, 'approve');
	}

	/** Signs in at the service where it asks, and denies access. */
	deny(username: string): Promise<void> {
		return this.#decide(username, 'deny');
	}

	async release(changes: Readonly<Record<string, string>> = {}): Promise<void> {
		const held = this.page.getByRole('dialog', { name: 'Held message' });
		for (const [name, value] of Object.entries(changes))
			await this.hands.enter(held.getByLabel(name, { exact: true }), value);
		const isChanged = Object.keys(changes).length > 0;
		await this.hands.press(
			held.getByRole('button', { name: isChanged ? 'Release with changes' : 'Release unchanged' })
		);
	}

	async address(pattern: RegExp): Promise<string> {
		await expect.poll(() => this.#address).toMatch(pattern);
		return this.#address;
	}

	async reload(): Promise<void> {
		await this.page.reload();
	}

	async close(): Promise<void> {
		await this.page.close();
	}

	/** The service does not ask where the user has allowed the same before. */
	async #decide(username: string, decision: 'approve' | 'deny'): Promise<void> {
		const { page, hands } = this;
		await page.waitForURL(/\/ws\/oauth2\//);
		const account = page.getByRole('button', { name: username });
		const button = page.locator(`button[value=${decision}]`);
		await expect(account.or(button).first()).toBeVisible({ timeout: 60_000 });
		if (!(await button.isVisible())) await hands.press(account);
		await expect(async () => {
			expect((await button.isVisible()) || !page.url().includes('/ws/oauth2/')).toBe(true);
		}).toPass();
		if (await button.isVisible()) await hands.press(button);
	}
}

/** A learner on the page of a lesson, which is open and started. */
export class PageLearner extends UserTab implements Learner {
	readonly baseUrl: string;

	/** @param onpart called when a part of the lesson is shown */
	constructor(
		page: Page,
		hands: Hands,
		private readonly onpart: () => Promise<void>
	) {
		super(page, hands);
		this.baseUrl = page.url().replace(/\/learn\/.*$/, '');
	}

	/** The text of the part, and the buttons Back and Next. */
	get state() {
		return this.page.getByRole('region', { name: 'State of the lesson' });
	}

	override async signIn(username: string, { isHeld = false }: SignInOptions = {}): Promise<void> {
		await super.signIn(username);
		if (isHeld) await this.release();
		await this.expectInLesson();
	}

	/** Waits until the page of the lesson is shown. */
	async expectInLesson(): Promise<void> {
		await this.page.waitForURL(/\/learn\//);
		await expect(this.state).toBeVisible();
	}

	/** Waits until the step is done. */
	async expectDone(): Promise<void> {
		await expect(this.state.getByRole('status').filter({ hasText: 'Done.' })).toBeVisible({ timeout: 90_000 });
	}

	async next(): Promise<void> {
		await this.expectDone();
		await this.onpart();
		await this.goOn();
	}

	/** Opens the next part, also where the part has no condition. */
	async goOn(): Promise<void> {
		await this.hands.press(this.state.locator('.next'));
		await this.onpart();
	}

	async move(steps: number): Promise<void> {
		const button =
			steps < 0 ? this.state.getByRole('button', { name: 'Back', exact: true }) : this.state.locator('.next');
		for (let step = 0; step < Math.abs(steps); step++) await this.hands.press(button);
	}

	choose(group: string, option: string): Promise<void> {
		const radios = this.page.getByRole('group', { name: group, exact: true });
		return this.hands.choose(radios.getByRole('radio', { name: option, exact: true }));
	}

	select(list: string, option: string): Promise<void> {
		return this.hands.select(this.page.getByLabel(list, { exact: true }), option);
	}

	async turn(name: string, isOn: boolean): Promise<void> {
		const control = this.page.getByRole('switch', { name, exact: true });
		await expect(control).toBeVisible();
		if ((await control.isChecked()) !== isOn) await this.hands.press(control);
		await expect(control).toBeChecked({ checked: isOn });
	}

	enter(field: string, value: string): Promise<void> {
		return this.hands.enter(this.#field(field), value);
	}

	read(field: string): Promise<string> {
		return this.#field(field).inputValue();
	}

	async pressForTab(name: string): Promise<UserTab> {
		const opened = this.page.context().waitForEvent('page');
		await this.press(name);
		return new UserTab(await opened, this.hands);
	}

	async header(name: string): Promise<string> {
		const text = await this.page.getByLabel('Headers', { exact: true }).innerText();
		return new RegExp(`^${escaped(name)}: (.+)$`, 'm').exec(text)?.[1] ?? '';
	}

	#field(name: string) {
		return this.page.getByRole('main').getByLabel(name, { exact: true });
	}
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
