import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { quotasOf, type AttemptLimits } from '../core/quotas.ts';

/** How long failed attempts are counted after the first, in milliseconds of the real clock. */
export const attemptWindow = 5 * 60 * 1000;

/**
 * Counts an attempt to guess the password of an account, before the password is checked, so that parallel attempts cannot exceed
 * the limits (RFC 6749, section 10.10). Over them even the correct password is rejected until the window ends. Many addresses
 * together lock out no other address.
 * @throws ProtocolError `too_many_attempts`
 */
export async function recordPasswordAttempt(context: Context, username: string): Promise<void> {
	const limits = quotasOf(context.options).attempts;
	const [own, address, account] = passwordCounters(context, username);
	// A blocked address adds no counters for made-up user names: they could evict the counters of others.
	await requirePasswordAttempts(context);
	const ownCount = await increment(context, own);
	if (ownCount > limits.address_account) throw tooMany();
	if ((await increment(context, address)) > limits.address) throw tooMany();
	if ((await increment(context, account)) > limits.account && ownCount > 1) throw tooMany();
}

/**
 * Rejects an address that is blocked already. Counts nothing.
 * @throws ProtocolError `too_many_attempts`
 */
export async function requirePasswordAttempts(context: Context): Promise<void> {
	const counter = `address ${context.networkAddress}`;
	const failed = (await context.store.get('failed_attempts', counter))?.failed ?? 0;
	if (failed >= quotasOf(context.options).attempts.address) throw tooMany();
}

/** Resets the counters of an account and of the address, after a correct password. */
export async function clearPasswordAttempts(context: Context, username: string): Promise<void> {
	for (const counter of passwordCounters(context, username)) await context.store.delete('failed_attempts', counter);
}

/**
 * Counts an attempt of the address. Secrets, tokens, keys and ids are random, 80 bits or more, so no number of attempts finds one:
 * the correct one is always accepted. A lock would protect nothing, and one user could lock out everyone who shares the address
 * (RL-10). Many wrong ones are rejected with 429 (RL-07).
 * @param of what is counted apart, for example a client
 * @throws ProtocolError `too_many_attempts` over the limit
 */
export async function recordFailedAttempt(
	context: Context,
	kind: keyof AttemptLimits,
	of = '',
	weight = 1
): Promise<void> {
	const count = await increment(context, counterOf(context, kind, of), weight);
	if (count > quotasOf(context.options).attempts[kind]) throw tooMany();
}

/** Resets what `recordFailedAttempt` has counted. */
export async function clearFailedAttempts(context: Context, kind: keyof AttemptLimits, of = ''): Promise<void> {
	await context.store.delete('failed_attempts', counterOf(context, kind, of));
}

function counterOf({ networkAddress }: Context, kind: keyof AttemptLimits, of: string): string {
	return `${kind} ${of.slice(0, 64)} ${networkAddress}`;
}

/**
 * Counts an access token that the address is about to get from a public server.
 * @throws ProtocolError `too_many_attempts` over the limit, before anything is issued or consumed
 */
export function recordToken({ options, issued, sharer }: Context): void {
	if (options.adminKey === undefined) return;
	const wait = Math.ceil(issued.count(sharer, options.now()) / 1000);
	if (wait === 0) return;
	const { tokensPerAddress } = quotasOf(options);
	throw new ProtocolError(
		'too_many_attempts',
		`Your address got ${tokensPerAddress} access tokens within five minutes. Use an access token until it expires. Try again in ${wait} seconds.`,
		{ headers: ['Retry-After', String(wait)] }
	);
}

function passwordCounters(
	{ networkAddress }: Context,
	username: string
): [own: string, address: string, account: string] {
	const name = username.slice(0, 64);
	return [`address_account ${name} ${networkAddress}`, `address ${networkAddress}`, `account ${name}`];
}

/** Returns the count in this window, with this attempt. */
async function increment(context: Context, counter: string, weight = 1): Promise<number> {
	const expires = context.options.now() + attemptWindow;
	const attempts = await context.store.update('failed_attempts', counter, (now) =>
		now === undefined ? { failed: weight, expires } : { ...now, failed: now.failed + weight }
	);
	return attempts?.failed ?? weight;
}

function tooMany(): ProtocolError {
	return new ProtocolError('too_many_attempts', 'Too many attempts. Wait five minutes and try again.', {
		headers: ['Retry-After', '300'],
		cause: 'too_many_attempts'
	});
}
