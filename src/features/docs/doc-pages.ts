import { type DocDoor, type DocName, docNames, firstDocPage } from './doc-names.ts';

/** A page in the documentation's own navigation. */
export type DocLink<Name extends string = string> = {
	/** The name of its Markdown file. */
	readonly name: Name;
	/** In the navigation. */
	readonly label: string;
};

const labels: Readonly<Record<DocName, string>> = {
	inspector: 'Inspector',
	traffic: 'Traffic of other providers',
	'request-builder': 'Request builder',
	class: 'Teach a class',
	write: 'Write a client here',
	attacks: 'Attacks and defenses',
	'own-lesson': 'Write your own exercise',
	lessons: 'Writing a lesson',
	'your-client': 'Connect your client',
	'standard-client': 'Connect a standard client',
	providers: 'Simulated providers',
	agents: 'Connect an agent',
	'client-core': 'Copy the client core',
	exam: 'What the exam judges',
	'exam-command': 'Examine in CI',
	testing: 'Test with the package',
	deployment: 'Deployment',
	partners: 'Your own demo',
	embed: 'Embed a lesson',
	world: 'World file',
	settings: 'Settings',
	operations: 'Operations',
	scaling: 'Scaling',
	specification: 'Specification',
	decisions: 'Decisions',
	errors: 'Errors',
	api: 'Service reference',
	'control-api': 'Control API',
	'control-reference': 'Control reference'
};

/** The pages by what a reader wants. */
export const docGroups: readonly { readonly label: DocDoor; readonly pages: readonly DocLink<DocName>[] }[] =
	docNames.map(({ label, names }) => ({ label, pages: names.map((name: DocName) => ({ name, label: labels[name] })) }));

/** The pages in reading order. */
export const docPages: readonly DocLink[] = [
	{ name: firstDocPage, label: 'Documentation' },
	...docGroups.flatMap(({ pages }) => pages)
];

/**
 * The address of a page.
 * @param home `AppLocation.home`
 * @param name of its Markdown file
 */
export function docHref(home: string, name: string): string {
	return `${home}/docs/${name === firstDocPage ? '' : `${name}/`}`;
}
