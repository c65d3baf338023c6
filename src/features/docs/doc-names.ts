/** The first page. It leads to all others. */
export const firstDocPage = 'overview';

/**
 * The names of the Markdown files by what a reader wants, in reading order. The last group is for looking things up. Every page of the
 * site loads them, to know which addresses exist.
 */
export const docNames = [
	{
		label: 'Learn',
		names: ['inspector', 'traffic', 'request-builder', 'class', 'write', 'attacks', 'own-lesson', 'lessons']
	},
	{ label: 'Connect', names: ['your-client', 'standard-client', 'providers', 'agents', 'client-core'] },
	{ label: 'Examine', names: ['exam', 'exam-command', 'testing'] },
	{ label: 'Run', names: ['deployment', 'partners', 'embed', 'world', 'settings', 'operations', 'scaling'] },
	{ label: 'Look up', names: ['specification', 'decisions', 'errors', 'api', 'control-api', 'control-reference'] }
] as const;

type Group = (typeof docNames)[number];
/** The label of a group. */
export type DocDoor = Group['label'];
/** The name of a page in a group. */
export type DocName = Group['names'][number];
