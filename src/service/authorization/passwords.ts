import type { Context } from '../core/context.ts';
import { base64url, encodeUtf8, timingSafeEqual } from '../core/encoding.ts';
import { clearPasswordAttempts, recordPasswordAttempt, requirePasswordAttempts } from '../checks/attempt-limits.ts';
import type { Account } from '../sandbox/records.ts';
import { demoPassword } from '../world/seed.ts';
import { findTestCard } from '../sandbox/test-cards.ts';

/** The longest accepted password, in characters. */
const maxPassword = 256;

/**
 * The account with this user name and password; undefined where they do not match. An unknown name takes as long as a wrong
 * password. Attempts are counted before the password is checked, for the account and for the address.
 * @throws ProtocolError `too_many_attempts`, also if too many passwords of the address are waiting
 */
export async function checkPassword(
	context: Context,
	username: string,
	password: string
): Promise<Pick<Account, 'username'> | undefined> {
	await requirePasswordAttempts(context);
	// One attempt of an address after the other: a class that signs in at the same instant is not counted as guessing.
	return context.queues.passwords.run(context.sharer, async () => {
		await recordPasswordAttempt(context, username);
		if (!(await matchesAccount(context, username, password))) return undefined;
		await clearPasswordAttempts(context, username);
		return { username };
	});
}

/**
 * The stored form of a password.
 * @throws ProtocolError `too_many_attempts` if too many passwords of the address are waiting
 */
export function hashPassword(context: Context, password: string, salt: string): Promise<string> {
	return context.queues.passwords.run(context.sharer, () => hash(context, password, salt));
}

async function matchesAccount(context: Context, username: string, password: string): Promise<boolean> {
	const card = findTestCard(context, 'account', username);
	const account = await context.store.get('account', username);
	if (card === undefined && account !== undefined && (await context.sandbox.seed.hasPassword(account, password)))
		return true;
	const actual = await hash(context, password.slice(0, maxPassword), account?.salt ?? 'unknown');
	if (card !== undefined) return card.outcome !== 'wrong_password' && password === demoPassword;
	return timingSafeEqual(actual, account?.password ?? '0'.repeat(43)) && password.length <= maxPassword;
}

async function hash({ options }: Context, password: string, salt: string): Promise<string> {
	return base64url(await options.scrypt(password, encodeUtf8(salt)));
}
