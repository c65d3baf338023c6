import type { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';

/** How long failed guesses are remembered after the first, in milliseconds of the real clock. */
const attemptWindow = 5 * 60 * 1000;

/** How many failed guesses each kind of target allows in one window. */
const allowed = { here: 10, account: 100, person: 100, client: 10_000, sandbox: 1000, id: 300, create: 60 } as const;

/**
 * What is guarded: an account's password from one address (`here`) and from all (`account`), anybody's password from
 * one address (`person`), a client's secret, a sandbox's key, ids of sandboxes that don't exist, and the creation of sandboxes
 * from one address.
 *
 * Passwords are short and people's own: over the limit even the right one is refused, for as long as the count lasts.
 * Secrets, tokens, keys and ids are random, with 80 bits or more (`ADMIN_KEY`: as its owner was told to make it): no number
 * of attempts finds one, so the right one is taken however many wrong ones came before it. A lock would protect nothing,
 * and give one person in a room behind one router the power to lock its instructor out (RL-10). Who sends wrong ones in
 * bulk is told to wait (RL-07).
 */
export type AttemptTarget = `${keyof typeof allowed} ${string}`;

/**
 * Refuses where too many guesses have failed lately (RFC 6749, section 10.10), whether this one is right or not. Nothing is
 * locked for good.
 * @throws ProtocolError `too_many_attempts`
 */
export async function assertAttemptAllowed(context: Context, target: AttemptTarget): Promise<void> {
	const guesses = await context.sandbox.store.get('failed_attempts', target);
	if (guesses !== undefined && guesses.failed >= limitOf(target)) throw tooMany();
}

/**
 * Counts a guess: a password's before it is checked, so that parallel ones can't slip past the limit together, any other
 * once it has failed.
 * @throws ProtocolError `too_many_attempts` where it is one too many
 */
export async function recordFailedAttempt(context: Context, target: AttemptTarget): Promise<void> {
	const expires = context.options.now() + attemptWindow;
	const guesses = await context.sandbox.store.update('failed_attempts', target, (now) =>
		now === undefined ? { failed: 1, expires } : { ...now, failed: now.failed + 1 }
	);
	if ((guesses?.failed ?? 1) > limitOf(target)) throw tooMany();
}

/** Forgets the failed guesses at a target, after the right one. */
export async function clearAttempts(context: Context, target: AttemptTarget): Promise<void> {
	await context.sandbox.store.delete('failed_attempts', target);
}

function limitOf(target: AttemptTarget): number {
	const at = target.indexOf(' ');
	for (const [kind, limit] of Object.entries(allowed)) if (target.slice(0, at) === kind) return limit;
	return 0;
}

function tooMany(): ProtocolError {
	return new ProtocolError('too_many_attempts', 'Too many failed attempts. Wait five minutes and try again.', {
		headers: ['Retry-After', '300']
	});
}
