import type { Context } from '../context.ts';
import { base64url, encodeUtf8, timingSafeEqual } from '../encoding.ts';
import { assertAttemptAllowed, recordFailedAttempt, clearAttempts } from '../checks/attempt-limits.ts';
import type { Account } from '../records.ts';

/** The longest password that is looked at, in characters. */
const longestPassword = 256;

/**
 * The account that a user name and a password belong to, or undefined. An unknown name costs the same time as a wrong
 * password. Guesses are counted before they are checked, for the account and for the address.
 * @throws ProtocolError `too_many_attempts`
 */
export async function checkPassword(
	context: Context,
	username: string,
	password: string
): Promise<Account | undefined> {
	const name = username.slice(0, 64);
	const targets = [`here ${name} ${context.address}`, `account ${name}`, `person ${context.address}`] as const;
	// Whoever has no guess left is not counted for the names that he makes up on: they would crowd out the counts of others.
	await assertAttemptAllowed(context, `person ${context.address}`);
	for (const target of targets) await recordFailedAttempt(context, target);
	const account = await context.sandbox.store.get('account', username);
	const given = await hashPassword(context, password.slice(0, longestPassword), account?.salt ?? 'nobody');
	const matches = timingSafeEqual(given, account?.password ?? '0'.repeat(43)) && password.length <= longestPassword;
	if (account === undefined || !matches) return undefined;
	for (const target of targets) await clearAttempts(context, target);
	return account;
}

/** A password in the form in which it is stored. */
export async function hashPassword(context: Context, password: string, salt: string): Promise<string> {
	return base64url(await context.options.scrypt(password, encodeUtf8(salt)));
}
