import type { Brand } from './brand.ts';
import { papers } from './contrast.ts';

/**
 * The style sheet of a brand's accent: the tokens of `ui/styles/tokens.css` that depend on it. Empty for the default accent.
 * It contains two checked colors only, so it is safe in a `style` element. The accent is legible on the page, so text on it has the
 * color of the page. Text in the accent is darker, or lighter in the dark, so that it stays legible on tinted areas.
 */
export function accentStyle({ accent }: { readonly accent?: Brand['accent'] | undefined }): string {
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
