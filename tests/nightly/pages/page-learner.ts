import { expect, type Page } from '@playwright/test';
import type { Lesson, LessonPanel } from '#features/lessons/lesson.ts';
import { panelLabels } from '#features/lessons/page/panels.ts';
import type { Learner, OtherTab } from '../../features/lessons/runs.ts';
import type { Hands } from './hands.ts';

/** A page, and what a user does on it. */
class UserTab implements OtherTab {
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
		await this.hands.press(
			page
				.getByRole('button', { name: pattern })
				.or(page.getByRole('link', { name: pattern }))
				.or(summary)
		);
	}

	async see(text: string): Promise<void> {
		await expect(this.page.getByText(text).filter({ visible: true }).first()).toBeVisible({ timeout: 60_000 });
	}

	async signIn(username: string): Promise<void> {
		const { page, hands } = this;
		await page.waitForURL(/\/ws\/oauth2\//);
		const account = page.getByRole('button', { name: username });
		const approve = page.locator('button[value=approve]');
		await expect(account.or(approve).first()).toBeVisible({ timeout: 60_000 });
		if (!(await approve.isVisible())) await hands.press(account);
		await expect(async () => {
			expect((await approve.isVisible()) || !page.url().includes('/ws/oauth2/')).toBe(true);
		}).toPass();
		if (await approve.isVisible()) await hands.press(approve);
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
}

/** A learner on the page of a lesson, which is open and started. */
export class PageLearner extends UserTab implements Learner {
	readonly baseUrl: string;
	readonly #lesson: Lesson;

	constructor(page: Page, hands: Hands, lesson: Lesson) {
		super(page, hands);
		this.#lesson = lesson;
		this.baseUrl = page.url().replace(/\/learn\/.*$/, '');
	}

	/** What is missing, and that nothing is. */
	get state() {
		return this.page.getByRole('region', { name: 'State of the lesson' });
	}

	override async signIn(username: string): Promise<void> {
		await super.signIn(username);
		await this.page.waitForURL(/\/learn\//);
		await expect(this.state).toBeVisible();
	}

	async pressIfShown(name: string): Promise<void> {
		const target = this.page.getByRole('button', { name, exact: true });
		if (await target.isVisible()) await this.hands.press(target).catch(() => expect(target).toBeHidden());
	}

	open(panel: LessonPanel): Promise<void> {
		return this.choose('Beside the lesson', panelLabels[panel]);
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

	async copy(name: string): Promise<string> {
		await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await this.press(`Copy ${name}`);
		await this.see('Copied');
		return this.page.evaluate(() => navigator.clipboard.readText());
	}

	async pressForTab(name: string): Promise<OtherTab> {
		const opened = this.page.context().waitForEvent('page');
		await this.press(name);
		return new UserTab(await opened, this.hands);
	}

	async visit(address: string): Promise<OtherTab> {
		const page = await this.page.context().newPage();
		await page.goto(address);
		return new UserTab(page, this.hands);
	}

	async readHeader(line: string, header: string): Promise<string> {
		await this.hands.selectLine(this.page.getByRole('tree'), line);
		const selected = this.page.getByRole('region', { name: 'Selected exchange' });
		const pattern = new RegExp(`^${escaped(header)}:?\\s+(.+)$`, 'im');
		await this.choose('Part of the exchange', 'Response');
		await expect(selected).toContainText(header);
		return pattern.exec(await selected.innerText())?.[1] ?? '';
	}

	async shown(condition: string): Promise<void> {
		const label = this.#lesson.conditions.find(({ id }) => id === condition)?.label;
		if (label === undefined) throw new Error(`The lesson has no condition ${condition}`);
		await expect(this.page.getByRole('listitem').filter({ hasText: `Done: ${label}` })).toBeVisible();
	}

	#field(name: string) {
		return this.page.getByRole('main').getByLabel(name, { exact: true });
	}
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
