import { join } from 'node:path';
import type { LessonPanel } from '#features/lessons/lesson.ts';
import type { Script } from '#features/lessons/scripted-client.ts';

/** A page that was opened beside that of the lesson. */
export type OtherTab = {
	/** Presses a button or a link, by its whole name. */
	press(name: string): Promise<void>;
	/** Waits until the page shows a text. */
	see(text: string): Promise<void>;
	/** Signs in at the service where it asks, and allows access. */
	signIn(username: string): Promise<void>;
	/** The address of the page, once it matches. */
	address(pattern: RegExp): Promise<string>;
	reload(): Promise<void>;
	close(): Promise<void>;
};

/** What a learner does on the page of a lesson. The tests have learners with a mouse and with a keyboard. */
export type Learner = Pick<OtherTab, 'press' | 'see' | 'signIn'> & {
	/** Base URL of the sandbox of the lesson. */
	readonly baseUrl: string;
	/** Presses a button if it is still shown. It may disappear at any time. */
	pressIfShown(name: string): Promise<void>;
	/** Opens a panel beside the lesson. */
	open(panel: LessonPanel): Promise<void>;
	/** Chooses an option of a group. */
	choose(group: string, option: string): Promise<void>;
	/** Chooses an option of a list. */
	select(list: string, option: string): Promise<void>;
	/** Turns a switch on or off. */
	turn(name: string, isOn: boolean): Promise<void>;
	/** Replaces the value of a field. */
	enter(field: string, value: string): Promise<void>;
	/** The value of a field. */
	read(field: string): Promise<string>;
	/** Copies a value: the `access token`. */
	copy(name: string): Promise<string>;
	/** Presses a button or a link that opens another tab. */
	pressForTab(name: string): Promise<OtherTab>;
	/** Enters an address in another tab. */
	visit(address: string): Promise<OtherTab>;
	/** Opens the last exchange whose line contains a text. Returns the value of a header of its response. */
	readHeader(line: string, header: string): Promise<string>;
	/** Waits until a condition of the lesson is shown. */
	shown(condition: string): Promise<void>;
};

/** The steps of a lesson, done on its page. */
export type Walk = (learner: Learner) => Promise<void>;

/** A run that leaves the lesson open. */
export type NearMiss = {
	readonly name: string;
	/** Id of the first condition that is not met. */
	readonly missing: string;
	readonly run: Script;
};

/** The runs of a lesson besides its script. In `runs/<id>.ts`. */
export type LessonRuns = {
	readonly walk: Walk;
	/** At least three. */
	readonly nearMisses: readonly NearMiss[];
};

/** Loads the runs of a lesson, in Vitest and in Playwright. */
export async function loadRuns(id: string): Promise<LessonRuns> {
	const runs: LessonRuns = await import(join(import.meta.dirname, 'runs', `${id}.ts`));
	return runs;
}
