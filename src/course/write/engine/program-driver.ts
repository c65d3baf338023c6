import { html } from '#lib/html.ts';
import type { Driver } from '#exam/driver.ts';
import type { ExerciseService } from './exercise-service.ts';
import { Program, ProgramError, ProgramStopped, type ConsoleLine, type OpenRealm } from './program/program.ts';
import { ExerciseSurroundings } from './surroundings.ts';
import { UserBrowser } from './user-browser.ts';

/** A program that an exam operates. */
export type ExaminedProgram = {
	/** The text of `client.ts`. */
	readonly source: string;
	readonly service: ExerciseService;
	readonly openRealm: OpenRealm;
	/** Gets what it writes, and the errors that its functions throw. */
	readonly log: (line: ConsoleLine) => void;
	/** Is called when it was stopped by a limit, with a sentence. */
	readonly stopped: (reason: string) => void;
};

/** A user with a browser, and the program as this user has it: with its own storage. */
type Session = {
	readonly program: Program;
	readonly browser: UserBrowser;
	/** The sign-in that runs. */
	signingIn: Promise<void>;
	/** What the program returned or threw last. */
	page: { readonly status: number; readonly text: string };
};

/**
 * Operates a program in place of the pages of a web client: its exported functions and the user's browser. A new user has a new instance
 * of it, as a browser without cookies has a new session.
 * @throws SyntaxMistake before anything runs
 * @throws ProgramError if it cannot be loaded
 */
export async function createProgramDriver(examined: ExaminedProgram): Promise<Driver> {
	const { service } = examined;
	const sessions = new Map<string, Session>();
	let spare: Session | undefined = await openSession(examined);
	const { names } = spare.program;
	const end = ({ program }: Session) => program.stop('The exam goes on with another user.');
	const fresh = async (browser: string): Promise<Session> => {
		const known = sessions.get(browser);
		sessions.delete(browser);
		if (known !== undefined) end(known);
		const session = spare ?? (await service.clock.during(() => openSession(examined)));
		spare = undefined;
		sessions.set(browser, session);
		return session;
	};
	const sessionOf = async (browser: string) => sessions.get(browser) ?? fresh(browser);
	const call = async (session: Session, name: string, ...parameters: readonly unknown[]): Promise<void> => {
		try {
			const { text } = await session.program.call(name, parameters);
			session.page = { status: 200, text: html`${text}`.html };
		} catch (error) {
			if (error instanceof ProgramStopped) {
				if ([...sessions.values()].includes(session)) examined.stopped(error.message);
				return;
			}
			if (!(error instanceof ProgramError)) throw error;
			session.page = { status: 500, text: html`${error.message}`.html };
			examined.log({ level: 'error', text: `${name}(): ${error.message}`, line: error.line });
		}
	};
	return {
		async signIn(browser, { username, isFresh, leavesService }) {
			const session = await (isFresh === true ? fresh(browser) : sessionOf(browser));
			if (leavesService === true) session.browser.leaveService();
			session.browser.conduct = { username };
			await (session.signingIn = call(session, 'signIn'));
		},
		...(names.includes('getCharacter')
			? { use: async (browser, name) => call(await sessionOf(browser), 'getCharacter', name) }
			: {}),
		...(names.includes('signOut') ? { signOut: async (browser) => call(await sessionOf(browser), 'signOut') } : {}),
		async begin(browser) {
			const session = await fresh(browser);
			return new Promise((resolve) => {
				session.browser.conduct = {
					begins: (url) => resolve(url.startsWith(`${service.baseUrl}/`) ? url : undefined)
				};
				session.signingIn = call(session, 'signIn').then(() => resolve(undefined));
			});
		},
		async open(name, url, { username }) {
			const { browser, signingIn } = await sessionOf(name);
			browser.conduct = { username };
			if (url.startsWith(`${service.baseUrl}/`)) await browser.follow(url);
			else browser.reach(new URL(url));
			if (!browser.isWaiting) await signingIn;
			return true;
		},
		page: (browser) => sessions.get(browser)?.page ?? { status: 0, text: '' },
		async stop() {
			const open = [...sessions.values(), ...(spare === undefined ? [] : [spare])];
			sessions.clear();
			for (const session of open) end(session);
		}
	};
}

async function openSession({ source, service, openRealm, log }: ExaminedProgram): Promise<Session> {
	const browser = new UserBrowser(service);
	const program = new Program();
	await program.start(source, new ExerciseSurroundings(service, browser, log), openRealm);
	return { program, browser, signingIn: Promise.resolve(), page: { status: 0, text: '' } };
}
