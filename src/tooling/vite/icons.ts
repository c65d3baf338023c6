import { icons as lucide } from '@iconify-json/lucide';
import type { Plugin } from 'vite';

const virtual = /^virtual:icon\/([\w-]+)\.svelte$/;
/** What the style sheet says of all icons. */
const common = / (?:fill="none"|stroke="currentColor"|stroke-(?:linecap|linejoin)="round"|stroke-width="2")/g;

/**
 * Vite's plugin for icons: `icon:plus` imports as a component of static markup. Icons are decorative: text beside them says what
 * they mean.
 */
export function icons(): Plugin {
	return {
		name: 'icons',
		enforce: 'pre',
		resolveId: {
			filter: { id: /^icon:/ },
			handler: (id) => `virtual:icon/${id.slice('icon:'.length)}.svelte`
		},
		load: { filter: { id: virtual }, handler: (id) => markupOf(virtual.exec(id)?.[1] ?? '') }
	};
}

/**
 * The markup of an icon.
 * @param name of Lucide, also an earlier one
 * @throws Error if there is none
 */
export function markupOf(name: string): string {
	const { body } = lucide.icons[lucide.aliases?.[name]?.parent ?? name] ?? {};
	if (body === undefined) throw new Error(`Lucide has no icon ${name}.`);
	const start = `<svg class="lucide-icon lucide-${name}" viewBox="0 0 24 24" aria-hidden="true">`;
	return `${start}${body.replace(common, '').replace(/^<g>|<\/g>$/g, '')}</svg>`;
}
