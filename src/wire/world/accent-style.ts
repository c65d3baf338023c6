import type { Brand } from './brand.ts';
import { papers } from './contrast.ts';

/**
 * The style sheet of a brand's accent: the tokens of `ui/styles/tokens.css` that depend on it. Empty for the default accent.
 * It contains two checked colors only, so it is safe in a `style` element.
 */
export function accentStyle({ accent }: Brand): string {
	if (accent === undefined) return '';
	const { light, dark } = accent;
	const tokens = {
		solid: `light-dark(${light},${dark})`,
		'solid-hover': `light-dark(color-mix(in oklab,${light},black 12%),color-mix(in oklab,${dark},white 12%))`,
		on: `light-dark(white,${papers.dark})`,
		fg: `light-dark(${light},${dark})`,
		bg: `light-dark(color-mix(in oklab,${light} 4%,white),color-mix(in oklab,${dark} 10%,${papers.dark}))`,
		border: `light-dark(color-mix(in oklab,${light} 40%,white),color-mix(in oklab,${dark} 40%,black))`
	};
	const lines = Object.entries(tokens).map(([name, value]) => `--accent-${name}:${value}`);
	return `:root{${lines.join(';')}}`;
}
