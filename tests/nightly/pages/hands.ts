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

/** Presses Tab until a control has the focus. */
async function reach(target: Locator): Promise<void> {
	// A button may be replaced while what it started is running.
	await expect(target).toBeVisible({ timeout: 60_000 });
	await expect(target).toBeEnabled();
	for (let stops = 0; stops < mostStops; stops++) {
		if (await hasFocus(target)) return;
		await press(target, 'Tab');
	}
	throw new Error(`The keyboard does not reach ${target.toString()}`);
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);
const press = (target: Locator, key: string) => target.page().keyboard.press(key);

/** A radio group is one stop, and the arrows move inside it. */
async function chooseByKeyboard(radio: Locator): Promise<void> {
	const group = await radio.evaluate((element) => (element instanceof HTMLInputElement ? element.name : ''));
	const radios = radio.page().locator(`input[type=radio][name="${group}"]`);
	const isInGroup = () =>
		radio
			.page()
			.evaluate(
				(name) => document.activeElement instanceof HTMLInputElement && document.activeElement.name === name,
				group
			);
	for (let stops = 0; !(await isInGroup()); stops++) {
		if (stops > mostStops) throw new Error(`The keyboard does not reach ${radio.toString()}`);
		await press(radio, 'Tab');
	}
	if ((await radios.and(radio.page().locator(':checked')).count()) === 0) await press(radio, 'Space');
	for (let moves = await radios.count(); moves > 0 && !(await radio.isChecked()); moves--)
		await press(radio, 'ArrowDown');
	await expect(radio).toBeChecked();
}

async function selectLineByKeyboard(tree: Locator, text: string): Promise<void> {
	await reach(tree);
	await press(tree, 'End');
	const active = tree.locator('.active');
	for (let moves = 0; !(await active.innerText()).includes(text); moves++) {
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
