/** Whether the command key is ⌘. False on a server. */
const isApple = 'navigator' in globalThis && /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * Labels of the keys of a shortcut.
 * @param keys separated by spaces: `mod k` (Ctrl or ⌘ with K), `g v` (one after the other), `escape`
 * @param apple whether `mod` is ⌘
 */
export function keyCaps(keys: string, apple = isApple): string[] {
	return keys.split(' ').map((key) => {
		if (key === 'mod') return apple ? '⌘' : 'Ctrl';
		return key === 'escape' ? 'Esc' : key.charAt(0).toUpperCase() + key.slice(1);
	});
}
