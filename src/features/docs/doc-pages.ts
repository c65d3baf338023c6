/** A page in the documentation's own navigation. */
export type DocLink = {
	/** The name of its Markdown file. */
	readonly name: string;
	/** In the sidebar. */
	readonly label: string;
};

/** The pages in reading order. */
export const docGroups: readonly { readonly label: string; readonly pages: readonly DocLink[] }[] = [
	{ label: 'Start', pages: [{ name: 'overview', label: 'Overview' }] },
	{
		label: 'The service',
		pages: [
			{ name: 'specification', label: 'Specification' },
			{ name: 'decisions', label: 'Decisions' },
			{ name: 'errors', label: 'Errors' },
			{ name: 'api', label: 'API reference' }
		]
	},
	{
		label: 'Build',
		pages: [
			{ name: 'inspector', label: 'Inspector' },
			{ name: 'request-builder', label: 'Request builder' },
			{ name: 'your-client', label: 'Connect your client' },
			{ name: 'standard-client', label: 'Connect a standard client' },
			{ name: 'client-core', label: 'Copy the client core' },
			{ name: 'testing', label: 'Test with the package' },
			{ name: 'exam', label: 'What the exam judges' },
			{ name: 'exam-command', label: 'Examine in CI' },
			{ name: 'class', label: 'Teach a class' },
			{ name: 'lessons', label: 'Writing a lesson' }
		]
	},
	{
		label: 'Operate',
		pages: [
			{ name: 'control-api', label: 'Control API' },
			{ name: 'settings', label: 'Settings' },
			{ name: 'partners', label: 'Your own demo' },
			{ name: 'world', label: 'World file' },
			{ name: 'deployment', label: 'Deployment' },
			{ name: 'operations', label: 'Operations' },
			{ name: 'scaling', label: 'Scaling' }
		]
	}
];

export const docPages: readonly DocLink[] = docGroups.flatMap(({ pages }) => pages);

/**
 * The address of a page.
 * @param home `AppLocation.home`
 * @param name of its Markdown file
 */
export function docHref(home: string, name: string): string {
	return `${home}/docs/${name === 'overview' ? '' : `${name}/`}`;
}
