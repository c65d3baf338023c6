/**
 * A program with parts replaced.
 * @param changes each text, which occurs once, and what is in its place
 */
export function changed(program: string, ...changes: readonly (readonly [from: string, to: string])[]): string {
	return changes.reduce((text, [from, to]) => {
		if (!occursOnce(text, from)) throw new Error(`This text must occur once: ${from}`);
		return text.replace(from, () => to);
	}, program);
}

export const occursOnce = (text: string, part: string): boolean => text.split(part).length === 2;
