import { join } from 'node:path';
import type { Script } from '#course/lessons/scripted-client.ts';

/** A page that was opened beside that of the lesson. */
export type OtherTab = {
	/** Presses a button or a link, by its whole name. */
	press(name: string): Promise<void>;
	/** Waits until the page shows a text. */
	see(text: string): Promise<void>;
	/** Signs in at the service where it asks, and allows access. */
	signIn(username: string): Promise<void>;
	/** Releases the message that is held on this page, with other values of its parameters. */
	release(changes?: Readonly<Record<string, string>>): Promise<void>;
	/** The address of the page, once it matches. */
	address(pattern: RegExp): Promise<string>;
	reload(): Promise<void>;
	close(): Promise<void>;
};

export type SignInOptions = {
	/** The response is held, and is released unchanged. */
	readonly isHeld?: boolean;
	/** Opens the sign-in once more, where the button that opened it is not enough. */
	readonly again?: () => Promise<void>;
};

/** What a learner does on the page of a lesson. The tests have learners with a mouse and with a keyboard. */
export type Learner = Pick<OtherTab, 'press' | 'see' | 'release'> & {
	/** Signs in at the service where it asks, and allows access. */
	signIn(username: string, options?: SignInOptions): Promise<void>;
	/** Base URL of the sandbox of the lesson. */
	readonly baseUrl: string;
	/** Waits until the step is done, and goes on. */
	next(): Promise<void>;
	/** Goes some steps back, or on to steps that are done or open. */
	move(steps: number): Promise<void>;
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
	/** Presses a button or a link that opens another tab. */
	pressForTab(name: string): Promise<OtherTab>;
	/** Reads a header that the lesson shows. */
	header(name: string): Promise<string>;
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
