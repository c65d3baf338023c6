import { expect, test, vi } from 'vitest';
import { Commands } from '#features/shell/commands.svelte.ts';

function press(
	commands: Commands,
	key: string,
	timeStamp: number,
	change: { ctrlKey?: boolean; isComposing?: boolean } = {},
	typing = false
) {
	const preventDefault = vi.fn();
	const event = {
		key,
		timeStamp,
		ctrlKey: false,
		metaKey: false,
		altKey: false,
		isComposing: false,
		defaultPrevented: false
	};
	commands.press({ ...event, preventDefault, ...change }, typing);
	return preventDefault;
}

function make() {
	const [go, palette, help] = [vi.fn(), vi.fn(), vi.fn()];
	const commands = new Commands();
	const remove = commands.add([
		{ id: 'go', label: 'Viewer', group: 'Go to', keys: 'g v', run: go },
		{ id: 'palette', label: 'Search', group: 'Tollgate', keys: 'mod k', run: palette },
		{ id: 'help', label: 'Keys', group: 'Tollgate', keys: '?', run: help }
	]);
	return { commands, go, palette, help, remove };
}

test('runs commands with one key, with Ctrl, and with two keys one after the other', () => {
	const { commands, go, palette, help } = make();
	expect(press(commands, '?', 0)).toHaveBeenCalledOnce();
	expect(press(commands, 'K', 10, { ctrlKey: true })).toHaveBeenCalledOnce();
	expect(press(commands, 'g', 20)).not.toHaveBeenCalled();
	press(commands, 'v', 30);
	expect([help, palette, go].map((run) => run.mock.calls.length)).toEqual([1, 1, 1]);
});

test('needs the second key soon after the first, with no other key between', () => {
	const { commands, go } = make();
	press(commands, 'g', 0);
	press(commands, 'v', 5000);
	press(commands, 'g', 6000);
	press(commands, 'x', 6010);
	press(commands, 'v', 6020);
	expect(go).not.toHaveBeenCalled();
});

test('ignores single keys when they are turned off, but not keys with Ctrl', () => {
	const { commands, palette, help } = make();
	commands.setSingleKeys(false);
	press(commands, '?', 0);
	press(commands, 'k', 1, { ctrlKey: true });
	expect([help.mock.calls.length, palette.mock.calls.length]).toEqual([0, 1]);
});

test('runs nothing during text composition or after the command was removed', () => {
	const { commands, help, remove } = make();
	press(commands, '?', 0, { isComposing: true });
	remove();
	press(commands, '?', 1);
	expect(help).not.toHaveBeenCalled();
	expect(commands.all).toEqual([]);
});

test('runs only keys with Ctrl in a text field or dialog', () => {
	const { commands, palette, help } = make();
	press(commands, '?', 0, {}, true);
	press(commands, 'k', 1, { ctrlKey: true }, true);
	expect([help.mock.calls.length, palette.mock.calls.length]).toEqual([0, 1]);
});
