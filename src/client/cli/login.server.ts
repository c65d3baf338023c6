import { makeBinding, type Wishes } from '../sign-in/request.ts';
import { Problem, problemOf } from '../problems.ts';
import type { Companion } from './client.server.ts';
import { isStrange, type Listener } from './loopback-listener.server.ts';
import type { Terminal } from './terminal.server.ts';

/** What a person can choose about a sign-in. */
export type LoginWishes = Pick<Wishes, 'scope' | 'access_type'> & {
	/** Whether to open the browser, or only to print the address. */
	readonly open: boolean;
	/** How long to wait for the browser, in milliseconds. */
	readonly patience: number;
};

/**
 * Signs a person in through the system's browser; who was signed in before is replaced.
 * @param listener that the companion was opened with; the caller closes it
 * @throws {Problem} `shelf_unwritable` before anybody is asked; `browser_timeout`, `stopped`, and those of `receiveAnswer`
 */
export async function login(
	companion: Companion,
	listener: Listener,
	wishes: LoginWishes,
	terminal: Terminal
): Promise<void> {
	const { client, world, base_url, path, shelf } = companion;
	await shelf.check();
	const before = await client.sessions.list();
	const binding = await makeBinding();
	const { scope, access_type } = wishes;
	const { address } = await client.depart({ scope, access_type, renew: false, pkce: true }, binding, null);
	const late = world.timeout(wishes.patience);
	const answered = listener
		.answer((answer) => receive(answer, companion, terminal), AbortSignal.any([late, world.interrupted]))
		.catch((thrown: unknown) => {
			const problem = problemOf(thrown);
			throw problem.code === 'stopped' && late.aborted ? new Problem('browser_timeout') : problem;
		});
	answered.catch(problemOf); // a browser can be faster than its opener; what went wrong is told once that is back
	const opened = wishes.open && (await world.openBrowser(address));
	const how = opened ? 'Your browser should open. If it does not, open' : 'Open';
	terminal.note(`${how} this address:\n\n${address}\n`);
	const waiting = `Waiting for the browser at ${listener.redirect_uri} …`;
	const session = await terminal.during(waiting, client.journal, () => answered);
	for (const { id } of before) await client.sessions.forget(id);
	await client.memory.rememberClock();
	const offline = session.refresh_token !== null;
	const data = {
		...{ signed_in: true, base_url, permissions: session.scope, offline, replaced: before.length > 0 },
		...{ expires: session.expires === null ? null : Math.round(session.expires / 1000), stored_in: path }
	};
	const lasting = offline ? 'Its refresh token is' : 'There is no refresh token; the access token is';
	const text = `${terminal.strong('Signed in.')} Allowed: ${session.scope.join(', ')}.\n${lasting} in ${path}`;
	terminal.result(data, text);
	if (before.length > 0) {
		terminal.note(
			`The earlier sign-in was forgotten here. Its access can be taken away at ${client.endpoints.account}`
		);
	}
}

/** An answer that was not asked for is worth a line, so that the person knows why the browser shows an error. */
async function receive(answer: URLSearchParams, { client }: Companion, terminal: Terminal) {
	try {
		return await client.arrive(answer);
	} catch (thrown) {
		if (isStrange(answer, problemOf(thrown))) {
			terminal.note('An answer came whose state was not made here. It was refused; still waiting for the right one.');
		}
		throw thrown;
	}
}
