/** The colors of the page behind text, in light and dark (`--bg-page`). */
export const papers = { light: '#fafbfd', dark: '#0c0f16' } as const;

/** The lowest contrast of readable text (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5;

/**
 * The contrast of two colors (WCAG 2.2), from 1 to 21.
 * @param one in the form `#rrggbb`, like `other`
 */
export function contrastOf(one: string, other: string): number {
	const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((first, second) => first - second);
	return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
		const value = parseInt(color.slice(at, at + 2), 16) / 255;
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
