import { partAt, textIn, withPart } from './file-parts.ts';
import { withText } from './derived-names.ts';

/** A world to begin with. Its names are examples, which follow the name of the brand. */
type Template = {
	readonly label: string;
	/** Its file is loaded when a user chooses it. */
	readonly load: () => Promise<{ readonly default: object }>;
};

export const templates: readonly Template[] = [
	{ label: 'Bank', load: () => import('./templates/bank.json') },
	{ label: 'Hospital', load: () => import('./templates/hospital.json') },
	{ label: 'Shop', load: () => import('./templates/shop.json') }
];

/**
 * A template with the name, the logo and the colors of a draft, as far as a user has chosen them.
 * @param begun what the draft began with, whose name, logo and colors no user has chosen
 */
export function inOwnBrand(template: object, draft: unknown, begun: unknown): unknown {
	const isOwn = (path: readonly string[]) =>
		JSON.stringify(partAt(draft, path)) !== JSON.stringify(partAt(begun, path));
	const name = ['brand', 'name'];
	const named = isOwn(name) ? withText(template, 'brand.name', textIn(draft, name)) : template;
	return [
		['brand', 'logo'],
		['brand', 'accent']
	]
		.filter(isOwn)
		.reduce((file: unknown, path) => withPart(file, path, partAt(draft, path)), named);
}
