import { expect, test } from 'vitest';
import { arrowShape, fitText, labelSpot } from '#ui/flow/messages.ts';

test.each([
	['short', 10, 'short'],
	['GET /ws/oauth2/auth/?client_id=x', 12, 'GET /ws…id=x'],
	['POST token · code of player-one', 20, '… code of player-one'],
	['POST token · code of player-one', 19, 'POST token ·…er-one'],
	['abc', 2, 'a…'],
	['abc', 1, '…'],
	['abc', 0, '…']
])('fits %s into %i characters', (text, room, fitted) => {
	expect(fitText(text, room)).toBe(fitted);
	expect(fitted.length).toBeLessThanOrEqual(Math.max(room, 1));
});

test('starts the label of a short arrow at its left end, while there is room to the right', () => {
	expect(labelSpot(50, 150, 400)).toEqual({ x: 50, anchor: 'start', room: 350 });
	expect(labelSpot(245, 175, 350)).toEqual({ x: 175, anchor: 'start', room: 175 });
	expect(labelSpot(350, 290, 400)).toEqual({ x: 350, anchor: 'end', room: 350 });
});

test('keeps the label of a wide arrow between its ends', () => {
	expect(labelSpot(75, 225, 600)).toEqual({ x: 75, anchor: 'start', room: 150 });
});

test.each([320, 330, 560, 760])(
	'keeps a label in a diagram that is %i pixels wide, with rounded characters',
	(width) => {
		const columns = ['browser', 'application', 'thief', 'authorization'] as const;
		const label = '400 invalid_grant · code_verifier missing';
		const { text, textX, anchor } = arrowShape({ from: 'authorization', to: 'thief', label }, columns, width);
		const length = text.length * 7;
		const [left, right] = anchor === 'end' ? [textX - length, textX] : [textX, textX + length];
		expect(left).toBeGreaterThanOrEqual(0);
		expect(right).toBeLessThanOrEqual(width);
	}
);
