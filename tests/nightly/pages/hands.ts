import { expect, type Locator } from '@playwright/test';

/** How a user operates the controls of a page. */
export type Hands = {
	/** Presses a button or a link. */
	press(target: Locator): Promise<void>;
	/** Replaces the value of a field. */
	enter(field: Locator, value: string): Promise<void>;
	/** Chooses a radio button. */
	choose(radio: Locator): Promise<void>;
	/** Chooses an option of a list. */
	select(list: Locator, option: string): Promise<void>;
	/** Selects the last line of a tree that contains a text. */
	selectLine(tree: Locator, text: string): Promise<void>;
};

export const mouse: Hands = {
	press: (target) => target.click(),
	enter: (field, value) => field.fill(value),
	// The radio button itself can be hidden. A form that has just appeared can render once more.
	choose: (radio) =>
		expect(async () => {
			await radio.locator('xpath=ancestor::label').click();
			await expect(radio).toBeChecked({ timeout: 1000 });
		}).toPass(),
	select: async (list, option) => {
		await list.selectOption(option);
	},
	async selectLine(tree, text) {
		const lines = tree.getByRole('treeitem').filter({ hasText: text });
		await expect(lines.first()).toBeVisible();
		// A line that scrolls out of view is used again for another exchange.
		const tops = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().top));
		await lines.nth(tops.indexOf(Math.max(...tops))).click();
	}
};

/** The most stops that a page may have. */
const mostStops = 300;

/** Moves the focus to a control. */
async function reach(target: Locator): Promise<void> {
	// A button may be replaced while what it started is running.
	await expect(target).toBeVisible({ timeout: 60_000 });
	await expect(target).toBeEnabled();
	await tabTo(target, () => target.evaluate((element) => element === document.activeElement));
}

/** Presses Tab, or Shift+Tab for a control before the focused one, until the focus is there. */
async function tabTo(target: Locator, isThere: () => Promise<boolean>): Promise<void> {
	const key = (await isBeforeFocus(target)) ? 'Shift+Tab' : 'Tab';
	for (let stops = 0; stops < mostStops; stops++) {
		if (await isThere()) return;
		await press(target, key);
	}
	throw new Error(`The keyboard does not reach ${target.toString()}`);
}

const isBeforeFocus = (target: Locator) =>
	target.evaluate(
		(element) =>
			document.activeElement !== null &&
			(element.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
	);
const press = (target: Locator, key: string) => target.page().keyboard.press(key);

/** A radio group is one stop, and the arrows move inside it. */
async function chooseByKeyboard(radio: Locator): Promise<void> {
	const group = await radio.evaluate((element) => (element instanceof HTMLInputElement ? element.name : ''));
	const radios = radio.page().locator(`input[type=radio][name="${group}"]`);
	await tabTo(radio, () =>
		radio
			.page()
			.evaluate(
				(name) => document.activeElement instanceof HTMLInputElement && document.activeElement.name === name,
				group
			)
	);
	if ((await radios.and(radio.page().locator(':checked')).count()) === 0) await press(radio, 'Space');
	for (let moves = await radios.count(); moves > 0 && !(await radio.isChecked()); moves--)
		await press(radio, 'ArrowDown');
	await expect(radio).toBeChecked();
}

async function selectLineByKeyboard(tree: Locator, text: string): Promise<void> {
	await reach(tree);
	await press(tree, 'End');
	const active = tree.locator('.active');
	// The beginning of a path is hidden where the tree is narrow.
	for (let moves = 0; !(await active.textContent())?.includes(text); moves++) {
		if (moves > mostStops) throw new Error(`No line contains ${text}`);
		await press(tree, 'ArrowUp');
	}
	await press(tree, 'Enter');
}

export const keyboard: Hands = {
	async press(target) {
		await reach(target);
		await press(
			target,
			(await target.evaluate((element) => element.role === 'switch' || element.tagName === 'INPUT')) ? 'Space' : 'Enter'
		);
	},
	async enter(field, value) {
		await reach(field);
		await press(field, 'ControlOrMeta+a');
		await field.page().keyboard.insertText(value);
	},
	choose: chooseByKeyboard,
	async select(list, option) {
		await reach(list);
		await list.page().keyboard.type(option);
		await expect(list.locator('option:checked')).toHaveText(option);
	},
	selectLine: selectLineByKeyboard
};
