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

/**
 * The style sheet of a brand's accent: the tokens of `ui/styles/tokens.css` that depend on it. Empty for the default accent.
 * It contains two checked colors only, so it is safe in a `style` element. The accent is legible on the page, so text on it has the
 * color of the page. Text in the accent is darker, or lighter in the dark, so that it stays legible on tinted areas.
 */
export function accentStyle({
	accent
}: {
	readonly accent?: { readonly light: string; readonly dark: string } | undefined;
}): string {
	if (accent === undefined) return '';
	const strong = 'light-dark(black,white)';
	const tokens = {
		'accent-solid': `light-dark(${accent.light},${accent.dark})`,
		'accent-solid-hover': `color-mix(in oklab,var(--accent-solid) 86%,${strong})`,
		'accent-on': `light-dark(white,${papers.dark})`,
		'accent-fg': `color-mix(in oklab,var(--accent-solid) 82%,${strong})`,
		'accent-bg': 'color-mix(in oklab,var(--accent-solid) 9%,var(--bg-surface))',
		'accent-border': 'color-mix(in oklab,var(--accent-solid) 38%,var(--bg-surface))',
		'focus-ring': 'var(--accent-solid)',
		selection: 'color-mix(in oklab,var(--accent-solid) 28%,var(--bg-page))'
	};
	return `:root{${Object.entries(tokens)
		.map(([name, value]) => `--${name}:${value}`)
		.join(';')}}`;
}
