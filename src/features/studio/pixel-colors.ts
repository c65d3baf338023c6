import { contrastOf, leastContrast, papers } from '#api/world/accent.ts';

/** The colors of a brand, for light and for dark pages. */
export type Accent = { readonly light: string; readonly dark: string };

/** Hue from 0 to 360, saturation and lightness from 0 to 1. */
type Hsl = readonly [hue: number, saturation: number, lightness: number];

/** Hues are counted in ranges of this many degrees. */
const hueStep = 20;
/** Paler colors count as gray. */
const leastSaturation = 0.2;
/** The least contrast of a logo with its page (WCAG 2.2, 1.4.11). */
const leastImageContrast = 3;

/**
 * The most frequent color of an image, made legible on both pages.
 * @param pixels red, green, blue and alpha of each, from 0 to 255
 * @returns undefined if the image has no color
 */
export function accentOf(pixels: Uint8ClampedArray): Accent | undefined {
	const ranges = new Map<number, { weight: number; sum: [number, number, number] }>();
	for (const [red, green, blue, alpha] of eachPixel(pixels)) {
		const [hue, saturation, lightness] = toHsl(red, green, blue);
		// Colors that are nearly black or white have no hue that users see.
		const weight = saturation < leastSaturation ? 0 : alpha * saturation * (1 - Math.abs(2 * lightness - 1));
		if (weight === 0) continue;
		const range = ranges.get(Math.floor(hue / hueStep)) ?? { weight: 0, sum: [0, 0, 0] };
		range.weight += weight;
		[red, green, blue].forEach((part, at) => (range.sum[at] = (range.sum[at] ?? 0) + part * weight));
		ranges.set(Math.floor(hue / hueStep), range);
	}
	const [most] = [...ranges.values()].sort((one, other) => other.weight - one.weight);
	if (most === undefined) return undefined;
	const [red = 0, green = 0, blue = 0] = most.sum.map((part) => part / most.weight);
	const color = toHsl(red, green, blue);
	return { light: legible(color, 'light'), dark: legible(color, 'dark') };
}

/** Whether most of an image is hard to see on the dark page. */
export function isLostInDark(pixels: Uint8ClampedArray): boolean {
	let [lost, all] = [0, 0];
	for (const [red, green, blue, alpha] of eachPixel(pixels)) {
		all += alpha;
		if (contrastOf(toHex(red, green, blue), papers.dark) < leastImageContrast) lost += alpha;
	}
	return all > 0 && lost / all > 0.5;
}

/** Exchanges dark and light in an image. Hues stay. */
export function invertLightness(pixels: Uint8ClampedArray): void {
	for (let at = 0; at < pixels.length; at += 4) {
		const [hue, saturation, lightness] = toHsl(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
		pixels.set(toRgb([hue, saturation, 1 - lightness]), at);
	}
}

/** Moves the lightness of a color as far as the page needs. */
function legible([hue, saturation, lightness]: Hsl, paper: keyof typeof papers): string {
	const step = paper === 'light' ? -0.01 : 0.01;
	for (let next = lightness; next >= 0 && next <= 1; next += step) {
		const color = toHex(...toRgb([hue, saturation, next]));
		if (contrastOf(color, papers[paper]) >= leastContrast) return color;
	}
	return paper === 'light' ? '#000000' : '#ffffff';
}

function* eachPixel(pixels: Uint8ClampedArray): Generator<[number, number, number, number]> {
	for (let at = 0; at < pixels.length; at += 4)
		yield [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0, (pixels[at + 3] ?? 0) / 255];
}

function toHsl(red: number, green: number, blue: number): Hsl {
	const [r, g, b] = [red / 255, green / 255, blue / 255];
	const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
	const lightness = (most + least) / 2;
	const range = most - least;
	if (range === 0) return [0, 0, lightness];
	const saturation = range / (1 - Math.abs(2 * lightness - 1));
	const sixth = most === r ? (g - b) / range : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
	return [(sixth * 60 + 360) % 360, saturation, lightness];
}

function toRgb([hue, saturation, lightness]: Hsl): [number, number, number] {
	const part = (shift: number): number => {
		const sector = (shift + hue / 30) % 12;
		const reach = saturation * Math.min(lightness, 1 - lightness);
		return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(sector - 3, 9 - sector, 1))));
	};
	return [part(0), part(8), part(4)];
}

function toHex(...parts: [number, number, number]): string {
	return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
