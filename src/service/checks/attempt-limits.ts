import type { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';

/** How long failed attempts are counted after the first, in milliseconds of the real clock. */
const attemptWindow = 5 * 60 * 1000;

/** How many failed attempts each kind of target allows in one window. */
const allowed = {
	/** Passwords of one account, from one address. */
	address_account: 10,
	/** Passwords of one account, from all addresses. */
	account: 100,
	/** Passwords of any account, from one address. */
	address: 100,
	/** Secrets and tokens of one client, from one address. */
	client: 10_000,
	/** Keys of a sandbox, from one address. */
	sandbox_key: 1000,
	/** Ids of unknown sandboxes, from one address. */
	sandbox_id: 300,
	/** Sandboxes created from one address. */
	create_sandbox: 60
} as const;

/**
 * What is protected: the kind, a space, and the account, client or address.
 *
 * Passwords can be guessed, so over the limit even the correct one is rejected until the window ends. Secrets, tokens, keys and
 * ids are random, 80 bits or more, so no number of attempts finds one: the correct one is always accepted. A lock would protect
 * nothing, and one user could lock out everyone who shares the address (RL-10). Many wrong ones are rejected with 429 (RL-07).
 */
export type AttemptTarget = `${keyof typeof allowed} ${string}`;

/**
 * Rejects an attempt after too many failed ones (RFC 6749, section 10.10), before it is known whether this one is correct.
 * @throws ProtocolError `too_many_attempts`
 */
export async function assertAttemptAllowed(context: Context, target: AttemptTarget): Promise<void> {
	const attempts = await context.sandbox.store.get('failed_attempts', target);
	if (attempts !== undefined && attempts.failed >= limitOf(target)) throw tooMany();
}

/**
 * Counts a failed attempt. Passwords are counted before they are checked, so that parallel attempts cannot exceed the limit.
 * @throws ProtocolError `too_many_attempts` over the limit
 */
export async function recordFailedAttempt(context: Context, target: AttemptTarget): Promise<void> {
	const expires = context.options.now() + attemptWindow;
	const attempts = await context.sandbox.store.update('failed_attempts', target, (now) =>
		now === undefined ? { failed: 1, expires } : { ...now, failed: now.failed + 1 }
	);
	if ((attempts?.failed ?? 1) > limitOf(target)) throw tooMany();
}

/** Resets the counter of a target, after a correct password. */
export async function clearAttempts(context: Context, target: AttemptTarget): Promise<void> {
	await context.sandbox.store.delete('failed_attempts', target);
}

function limitOf(target: AttemptTarget): number {
	const kind = target.slice(0, target.indexOf(' '));
	for (const [name, limit] of Object.entries(allowed)) if (name === kind) return limit;
	return 0;
}

function tooMany(): ProtocolError {
	return new ProtocolError('too_many_attempts', 'Too many failed attempts. Wait five minutes and try again.', {
		headers: ['Retry-After', '300']
	});
}
