import { expect } from '@playwright/test';
import type { SignInOptions } from '../../course/lessons/runs.ts';
import { PageLearner, type UserTab } from './page-learner.ts';

const wrongUser = 'player-two';

/**
 * A learner who signs in as another user, then denies access, before the first sign-in of a lesson. Goes back by the button of the browser
 * after it. Reloads the page, goes back and on again after each step.
 */
export class LearnerWithMistakes extends PageLearner {
	#pressed = '';
	#hasErred = false;

	override async press(name: string): Promise<void> {
		this.#pressed = name;
		await super.press(name);
	}

	override async signIn(username: string, options: SignInOptions = {}): Promise<void> {
		if (!this.#hasErred) {
			this.#hasErred = true;
			const button = this.#pressed;
			const { isHeld = false, again = () => this.press(button) } = options;
			await super.signIn(wrongUser, options);
			await this.signOutWrongUser();
			await again();
			await this.deny(username);
			if (isHeld) await this.release();
			await this.expectInLesson();
			await this.expectReason('You denied access');
			// Back leads to the page before the lesson, not to pages of the sign-in.
			await this.page.goBack();
			await expect(this.page).toHaveURL(/\/learn(?:\/[a-z-]+)?$/);
			await this.page.goForward();
			await this.expectInLesson();
			await this.page.reload();
			await this.expectReason('You denied access');
			await again();
		}
		await super.signIn(username, options);
	}

	/** A sign-in window makes the mistakes of a first sign-in, and is opened again after each of them. */
	override async pressForTab(name: string): Promise<UserTab> {
		const open = () => super.pressForTab(name);
		const tab = await open();
		if (this.#hasErred || name !== 'Open sign-in window') return tab;
		this.#hasErred = true;
		await tab.signIn(wrongUser);
		await this.signOutWrongUser();
		const denied = await open();
		await denied.deny('player-one');
		await denied.close();
		await this.expectReason('You denied access');
		await this.page.reload();
		await this.expectReason('You denied access');
		return open();
	}

	override async next(): Promise<void> {
		await this.expectDone();
		// A load goes on after its first responses have shown the step.
		await expect(this.page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
		const drawn = await this.settledDiagram();
		await this.page.reload();
		await this.expectDone();
		expect(await this.settledDiagram()).toEqual(drawn);
		await this.hands.press(this.state.getByRole('button', { name: 'Back', exact: true }));
		await this.hands.press(this.state.locator('.next'));
		await super.next();
	}

	/** The step is not done, and the page says why. */
	private async expectReason(text: string): Promise<void> {
		await expect(
			this.page.getByRole('region', { name: 'Tool' }).getByRole('status').filter({ hasText: text })
		).toBeVisible();
		await expect(this.state.getByRole('status').filter({ hasText: 'Done.' })).toBeHidden();
	}

	private async signOutWrongUser(): Promise<void> {
		const reason = `You signed in as ${wrongUser}`;
		await this.expectReason(reason);
		await super.press(`Sign out ${wrongUser}`);
		// The reason is gone with the session, also in a page that is loaded again.
		await expect(this.page.getByText(reason)).toHaveCount(0);
		await this.page.reload();
		await this.expectInLesson();
		await expect(this.page.getByText(reason)).toHaveCount(0);
	}

	/** The rows of the diagram, when the page has read the log. */
	private async settledDiagram(): Promise<string[]> {
		let drawn: string[] = [];
		const isUnchanged = async () => {
			const before = drawn.join('\n');
			drawn = await this.diagram();
			return drawn.join('\n') === before;
		};
		await expect.poll(isUnchanged, { intervals: [1000] }).toBe(true);
		return drawn;
	}

	/** The rows of the diagram. */
	private diagram(): Promise<string[]> {
		return this.page.getByRole('region', { name: 'Diagram' }).getByRole('listitem').allInnerTexts();
	}
}
