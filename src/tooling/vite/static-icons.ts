import { parse } from 'node:path';
import * as v from 'valibot';
import type { Plugin } from 'vite';

const attributesOfShape = v.record(v.string(), v.union([v.string(), v.number()]));
const iconData = v.object({ name: v.string(), node: v.array(v.tuple([v.string(), attributesOfShape])) });

const frame =
	'xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"';

/**
 * The markup of one of Lucide's icons, as a Svelte component that has no part that could change.
 * @param source of the component that the package brings
 * @throws {Error} where it does not hold its shapes as expected
 */
export function stillIcon(source: string): string {
	const [, json] = /^const iconData = (\{.*\});$/m.exec(source) ?? [];
	if (json === undefined) throw new Error('Lucide builds its icons in another way than expected');
	const { name, node } = v.parse(iconData, JSON.parse(json));
	const shapes = node.map(([tag, attributes]) => {
		const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${value}"`);
		return `<${tag}${written.join('')} />`;
	});
	return `<svg ${frame} class="lucide lucide-${name}">${shapes.join('')}</svg>`;
}

/**
 * Vite's plugin that makes Lucide's icons plain markup. As they come, each decides while it is hydrated what it looks like,
 * path by path: a third of what a page does before it answers to its reader. Here they are decoration, always hidden from
 * assistive technology, and styled from outside: they take no properties.
 */
export function stillIcons(): Plugin {
	return {
		name: 'tollgate-still-icons',
		enforce: 'pre',
		transform: {
			filter: { id: /@lucide\/svelte\/dist\/icons\/[\w-]+\.svelte$/ },
			handler(code, id) {
				try {
					return { code: stillIcon(code), map: null };
				} catch (fault) {
					throw new Error(`${parse(id).base}: ${String(fault)}`, { cause: fault });
				}
			}
		}
	};
}
