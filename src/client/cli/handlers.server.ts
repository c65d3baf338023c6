import { characterAddress, patterns } from '../endpoints.ts';
import { Problem, plain } from '../problems.ts';
import { characterOf } from '../resources/character.ts';
import type { Budget } from '../resources/ledger.ts';
import { limitsOf } from '../resources/ratelimits.ts';
import { signedIn, type Companion } from './client.server.ts';
import { tableOf, type Terminal } from './terminal.server.ts';

/**
 * Calls a character and shows what the permissions allow.
 * @param name as people write it
 * @throws {Problem} `not_signed_in`, `unreadable`, and those of `Resources.call`
 */
export async function show(companion: Companion, name: string, terminal: Terminal): Promise<void> {
	const { client, world } = companion;
	const session = await signedIn(companion);
	const call = { session: session.id, address: characterAddress(client.endpoints.base_url, name) };
	const { tree, budget, status } = await terminal.during(`Asking for ${plain(name)} …`, client.journal, () =>
		client.resources.call({ ...call, pattern: patterns.character, ...usual, signal: world.interrupted })
	);
	const character = characterOf(tree, session.scope);
	if (character === undefined) throw new Problem('unreadable', '', { status });
	const { lines, lacking, foreign } = character;
	const rows = lines.map(({ field, value }) => [`  ${terminal.faint(plain(field).padEnd(12))}`, plain(value)]);
	const text = [terminal.strong(plain(character.name)), ...rows.map((row) => row.join(' '))].join('\n');
	terminal.result({ character: tree, limit: dataOf(budget) }, text);
	if (foreign) terminal.note('Somebody else’s character: the service shows the public part only.');
	else if (lacking.length > 0) {
		const scope = [...session.scope, ...lacking.map((permission) => permission.scope)].join(' ');
		terminal.note(`There is more to see with: login --scope "${scope}"`);
	}
	if (budget !== undefined) terminal.note(budgetLine(budget, client.clock.now()));
}

/**
 * Asks how the limits stand; that is a call, and counts.
 * @throws {Problem} as `show`
 */
export async function limits(companion: Companion, terminal: Terminal): Promise<void> {
	const { client, world } = companion;
	const session = await signedIn(companion);
	const call = { session: session.id, address: client.endpoints.ratelimits, pattern: patterns.ratelimits };
	const { tree } = await terminal.during('Asking how the limits stand …', client.journal, () =>
		client.resources.call({ ...call, ...usual, signal: world.interrupted })
	);
	const records = limitsOf(tree);
	const now = client.clock.now();
	const rows = records.map(({ pattern, limit, remaining, reset, reset_time }) => [
		...[plain(pattern), String(limit), String(remaining), `in ${durationOf(reset - now)}`, plain(reset_time)]
	]);
	const data = records.map((record) => ({ ...record, reset: Math.round(record.reset / 1000) }));
	terminal.result({ ratelimits: data }, tableOf([['PATTERN', 'LIMIT', 'LEFT', 'RESETS', 'AT'], ...rows]));
}

/**
 * Ends the access at the service and deletes the tokens.
 * @throws {Problem} `silence`, or the service's refusal; the tokens stay then
 */
export async function logout({ client, path }: Companion, terminal: Terminal): Promise<void> {
	const sessions = await client.sessions.list();
	let last: keyof typeof partings = 'nobody';
	for (const { id } of sessions) {
		last = await terminal.during('Taking the access back …', client.journal, () => client.signOut(id));
	}
	terminal.result({ signed_in: false, access: last, deleted: sessions.length > 0 ? path : null }, partings[last]);
}

const usual = { format: 'json', credential: 'header' } as const;

const partings = {
	revoked: 'Signed out. The service ended the access, and the tokens are deleted here.',
	already: 'Signed out. The access had been taken away before; the tokens are deleted here.',
	forgotten:
		'The token is deleted here. There was no refresh token, and the service revokes by nothing else: the access lives until it expires.',
	nobody: 'Nobody was signed in.'
} as const;

function dataOf(budget: Budget | undefined): object | null {
	if (budget === undefined) return null;
	const { limit, remaining, reset } = budget;
	return { limit, remaining, reset: Math.round(reset / 1000) };
}

function budgetLine({ limit, remaining, reset }: Budget, now: number): string {
	return `${String(remaining)} of ${String(limit)} calls left, reset in ${durationOf(reset - now)}`;
}

/** `59 min`, `42 s`. */
function durationOf(milliseconds: number): string {
	const seconds = Math.max(0, Math.round(milliseconds / 1000));
	return seconds < 100 ? `${String(seconds)} s` : `${String(Math.round(seconds / 60))} min`;
}
