import type { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';
import { quotasOf, type AttemptLimits } from '../quotas.ts';

/** How long failed attempts are counted after the first, in milliseconds of the real clock. */
const attemptWindow = 5 * 60 * 1000;

/**
 * What is protected: the kind, a space, and the account, client or address.
 *
 * Passwords can be guessed, so over the limit even the correct one is rejected until the window ends. Secrets, tokens, keys and
 * ids are random, 80 bits or more, so no number of attempts finds one: the correct one is always accepted. A lock would protect
 * nothing, and one user could lock out everyone who shares the address (RL-10). Many wrong ones are rejected with 429 (RL-07).
 */
export type AttemptTarget = `${keyof AttemptLimits} ${string}`;

/**
 * Rejects an attempt after too many failed ones (RFC 6749, section 10.10), before it is known whether this one is correct.
 * @throws ProtocolError `too_many_attempts`
 */
export async function assertAttemptAllowed(context: Context, target: AttemptTarget): Promise<void> {
	const attempts = await context.sandbox.store.get('failed_attempts', target);
	if (attempts !== undefined && attempts.failed >= limitOf(context, target)) throw tooMany();
}

/**
 * Counts an attempt. Passwords are counted before they are checked, so that parallel attempts cannot exceed the limit.
 * @throws ProtocolError `too_many_attempts` over the limit
 */
export async function recordFailedAttempt(context: Context, target: AttemptTarget, weight = 1): Promise<void> {
	if ((await countAttempt(context, target, weight)) > limitOf(context, target)) throw tooMany();
}

/**
 * Counts an attempt to guess the password of an account. Many addresses together lock out no other address.
 * @throws ProtocolError `too_many_attempts` over the limit
 */
export async function recordPasswordAttempt(context: Context, username: string): Promise<void> {
	const own = await countAttempt(context, `address_account ${username} ${context.address}`);
	const { address_account, account } = quotasOf(context.options).attempts;
	if (own > address_account) throw tooMany();
	if ((await countAttempt(context, `account ${username}`)) > account && own > 1) throw tooMany();
}

/** Returns how often the target was counted in this window, with this attempt. */
async function countAttempt(context: Context, target: AttemptTarget, weight = 1): Promise<number> {
	const expires = context.options.now() + attemptWindow;
	const attempts = await context.sandbox.store.update('failed_attempts', target, (now) =>
		now === undefined ? { failed: weight, expires } : { ...now, failed: now.failed + weight }
	);
	return attempts?.failed ?? weight;
}

/** Resets the counter of a target, after a correct password. */
export async function clearAttempts(context: Context, target: AttemptTarget): Promise<void> {
	await context.sandbox.store.delete('failed_attempts', target);
}

function limitOf(context: Context, target: AttemptTarget): number {
	const kind = target.slice(0, target.indexOf(' '));
	for (const [name, limit] of Object.entries(quotasOf(context.options).attempts)) if (name === kind) return limit;
	return 0;
}

function tooMany(): ProtocolError {
	return new ProtocolError('too_many_attempts', 'Too many attempts. Wait five minutes and try again.', {
		headers: ['Retry-After', '300']
	});
}
