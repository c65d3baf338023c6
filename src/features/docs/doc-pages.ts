/** A page in the documentation's own navigation. */
export type DocLink = {
	/** The name of its Markdown file. */
	readonly name: string;
	/** In the navigation. */
	readonly label: string;
	/** What it contains, on the first page. */
	readonly about: string;
};

export type DocGroup = {
	readonly label: string;
	/** What its reader wants. */
	readonly intro: string;
	readonly pages: readonly DocLink[];
};

/** The first page. It leads to all others. */
export const firstDocPage = 'overview';

const page = (name: string, label: string, about: string): DocLink => ({ name, label, about });

/** The pages by what a reader wants, in reading order. The last group is for looking things up. */
export const docGroups: readonly DocGroup[] = [
	{
		label: 'Learn',
		intro: 'See what each request means, and teach it.',
		pages: [
			page('inspector', 'Inspector', 'Every exchange, with its checks and its values.'),
			page('request-builder', 'Request builder', 'Send a request with any mistake.'),
			page('class', 'Teach a class', 'Plans for a workshop, and what to do if something fails.'),
			page(
				'write',
				'Write a client here',
				'Exercises in which you write an OAuth client in the page, and where it runs.'
			),
			page('lessons', 'Writing a lesson', 'What a lesson consists of, and its tests.')
		]
	},
	{
		label: 'Connect',
		intro: 'Point a client of your own at the service.',
		pages: [
			page('your-client', 'Connect your client', 'First request, endpoints, certificates and libraries.'),
			page('standard-client', 'Connect a standard client', 'Any OAuth or OpenID Connect library.'),
			page('client-core', 'Copy the client core', 'Two folders of code for your own client.')
		]
	},
	{
		label: 'Examine',
		intro: 'Find out what a client does wrong, also in CI.',
		pages: [
			page('exam', 'What the exam judges', 'Its rules, and what it cannot judge.'),
			page('exam-command', 'Examine in CI', 'The exam as a command, and in a container.'),
			page('testing', 'Test with the package', 'The service inside your test suite.')
		]
	},
	{
		label: 'Run',
		intro: 'Put it on a server or a static host, with your own brand.',
		pages: [
			page('deployment', 'Deployment', 'Server, package, static files, workshops.'),
			page('partners', 'Your own demo', 'A demo with your product, from one file.'),
			page('world', 'World file', 'Brand, permissions, accounts and applications.'),
			page('settings', 'Settings', 'The environment variables of the server.'),
			page('operations', 'Operations', 'Containers, proxies, monitoring and backup.'),
			page('scaling', 'Scaling', 'Several servers with one store.')
		]
	},
	{
		label: 'Look up',
		intro: 'Rules, codes and fields.',
		pages: [
			page('specification', 'Specification', 'The simulated service, section by section.'),
			page('decisions', 'Decisions', 'What Tollgate does where a question is open, and why.'),
			page('errors', 'Errors', 'Every error code with its cause and fix.'),
			page('api', 'Service reference', 'Endpoints of applications, with a form for each request.'),
			page('control-api', 'Control API', 'Clock, limits, faults, traffic and sandboxes.'),
			page('control-reference', 'Control reference', 'Its fields, with a form for each request.')
		]
	}
];

/** The pages in reading order. */
export const docPages: readonly Pick<DocLink, 'name' | 'label'>[] = [
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
