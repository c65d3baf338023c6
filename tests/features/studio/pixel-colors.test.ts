import { expect, test } from 'vitest';
import { contrastOf, papers } from '#api/world/accent.ts';
import { accentOf, invertLightness, isLostInDark } from '#features/studio/pixel-colors.ts';

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

/** An image with so many pixels of each color. */
const image = (...parts: readonly (readonly [count: number, pixel: Pixel])[]) =>
	new Uint8ClampedArray(parts.flatMap(([count, pixel]) => Array.from({ length: count }, () => pixel).flat()));

const navy: Pixel = [27, 79, 114, 255];
const yellow: Pixel = [255, 214, 0, 255];
const white: Pixel = [255, 255, 255, 255];
const clear: Pixel = [0, 0, 0, 0];

test.each([
	['the only color', image([40, navy], [400, clear])],
	['the most frequent color beside white and another one', image([40, navy], [5, yellow], [900, white])]
])('the accent is %s, and stays unchanged where it is legible', (_, pixels) => {
	expect(accentOf(pixels)?.light).toBe('#1b4f72');
});

test.each([[navy], [yellow], [[255, 0, 0, 255] as const], [[120, 255, 120, 80] as const]])(
	'the accent of %j is legible on both pages',
	(pixel) => {
		const accent = accentOf(image([9, pixel]));
		expect(contrastOf(accent?.light ?? '', papers.light)).toBeGreaterThanOrEqual(4.5);
		expect(contrastOf(accent?.dark ?? '', papers.dark)).toBeGreaterThanOrEqual(4.5);
	}
);

test('a gray or empty image has no accent', () => {
	expect(accentOf(image([20, [90, 92, 90, 255]], [20, white]))).toBeUndefined();
	expect(accentOf(image([20, clear]))).toBeUndefined();
});

test('a dark logo is lost on the dark page, unless it has a light ground, and is seen with its lightness inverted', () => {
	expect(isLostInDark(image([20, navy], [200, clear]))).toBe(true);
	expect(isLostInDark(image([20, navy], [200, white]))).toBe(false);
	expect(isLostInDark(image([20, yellow], [2, navy]))).toBe(false);
	expect(isLostInDark(image([20, clear]))).toBe(false);
	const pixels = image([20, navy], [200, clear]);
	invertLightness(pixels);
	expect(isLostInDark(pixels)).toBe(false);
	expect([...pixels.slice(0, 4)]).toEqual([141, 193, 228, 255]);
	expect([...pixels.slice(-1)]).toEqual([0]);
});
