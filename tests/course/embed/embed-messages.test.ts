import { expect, test } from 'vitest';
import { parentOrigin, parentReport, themeOf } from '#course/embed/embed-messages.ts';

const partner = 'https://partner.example';
const other = 'https://lms.example';

function sentTo(known?: string) {
	const sent: [message: object, origin: string][] = [];
	const parent = { postMessage: (message: object, origin: string) => void sent.push([message, origin]) };
	parentReport(parent, [partner, other], known)({ type: 'score', score: 50 });
	return sent;
}

test('sends a message to the origins of the setting, each by name', () => {
	const message = { source: 'tollgate', version: 1, type: 'score', score: 50 };
	expect(sentTo()).toEqual([
		[message, partner],
		[message, other]
	]);
	expect(sentTo(other)).toEqual([[message, other]]);
});

test.each(['https://evil.example', 'null', '*', `${partner}.evil.example`, 'http://partner.example'])(
	'sends nothing to a parent at %s',
	(known) => expect(sentTo(known)).toEqual([])
);

test('sends nothing where no origin may embed', () => {
	const parent = { postMessage: () => expect.unreachable() };
	parentReport(parent, [])({ type: 'completed' });
});

test('knows the parent by the browser, else by the referrer', () => {
	expect(parentOrigin([partner, other], `${other}/page`)).toBe(partner);
	expect(parentOrigin(undefined, `${other}/page?a=b`)).toBe(other);
	expect(parentOrigin([], '')).toBeUndefined();
});

const theme = { type: 'tollgate:theme', theme: 'dark' };

test('a theme of the parent applies', () => {
	expect(themeOf({ data: theme, origin: partner }, [partner], true)).toBe('dark');
});

/** Forged messages: of another origin, of another window, of another form. */
test.each<[data: unknown, origin: string, isParent: boolean]>([
	[theme, 'https://evil.example', true],
	[theme, 'null', true],
	[theme, `${partner}:8443`, true],
	[theme, 'http://partner.example', true],
	[theme, partner, false],
	[{ ...theme, theme: 'javascript:alert(1)' }, partner, true],
	[{ ...theme, theme: { toString: () => 'dark' } }, partner, true],
	[{ type: 'completed', source: 'tollgate', version: 1 }, partner, true],
	[{ type: 'score', score: 100 }, partner, true],
	[{ type: 'tollgate:navigate', url: 'https://evil.example' }, partner, true],
	['tollgate:theme', partner, true],
	[null, partner, true],
	[[theme], partner, true]
])('the message %j of %s has no effect', (data, origin, isParent) => {
	expect(themeOf({ data, origin }, [partner], isParent)).toBeUndefined();
});
