/** A page in the documentation's own navigation. */
export type DocLink = {
	/** The name of its Markdown file. */
	readonly name: string;
	/** In the navigation. */
	readonly label: string;
};

type DocGroup = { readonly label: string; readonly pages: readonly DocLink[] };

/** The first page. It leads to all others. */
export const firstDocPage = 'overview';

/** The pages by what a reader wants, in reading order. The last group is for looking things up. Every page of the site loads this list. */
const groups = [
	{
		label: 'Learn',
		pages: [
			{ name: 'inspector', label: 'Inspector' },
			{ name: 'request-builder', label: 'Request builder' },
			{ name: 'class', label: 'Teach a class' },
			{ name: 'write', label: 'Write a client here' },
			{ name: 'lessons', label: 'Writing a lesson' }
		]
	},
	{
		label: 'Connect',
		pages: [
			{ name: 'your-client', label: 'Connect your client' },
			{ name: 'standard-client', label: 'Connect a standard client' },
			{ name: 'client-core', label: 'Copy the client core' }
		]
	},
	{
		label: 'Examine',
		pages: [
			{ name: 'exam', label: 'What the exam judges' },
			{ name: 'exam-command', label: 'Examine in CI' },
			{ name: 'testing', label: 'Test with the package' }
		]
	},
	{
		label: 'Run',
		pages: [
			{ name: 'deployment', label: 'Deployment' },
			{ name: 'partners', label: 'Your own demo' },
			{ name: 'world', label: 'World file' },
			{ name: 'settings', label: 'Settings' },
			{ name: 'operations', label: 'Operations' },
			{ name: 'scaling', label: 'Scaling' }
		]
	},
	{
		label: 'Look up',
		pages: [
			{ name: 'specification', label: 'Specification' },
			{ name: 'decisions', label: 'Decisions' },
			{ name: 'errors', label: 'Errors' },
			{ name: 'api', label: 'Service reference' },
			{ name: 'control-api', label: 'Control API' },
			{ name: 'control-reference', label: 'Control reference' }
		]
	}
] as const satisfies readonly DocGroup[];

type Group = (typeof groups)[number];
/** The label of a group. */
export type DocDoor = Group['label'];
/** The name of a page in a group. */
export type DocName = Group['pages'][number]['name'];

export const docGroups: readonly Group[] = groups;

/** The pages in reading order. */
export const docPages: readonly DocLink[] = [
	{ name: firstDocPage, label: 'Documentation' },
	...groups.flatMap(({ pages }): readonly DocLink[] => pages)
];

/**
 * The address of a page.
 * @param home `AppLocation.home`
 * @param name of its Markdown file
 */
export function docHref(home: string, name: string): string {
	return `${home}/docs/${name === firstDocPage ? '' : `${name}/`}`;
}
