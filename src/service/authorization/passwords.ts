import type { Context } from '../context.ts';
import { base64url, encodeUtf8, timingSafeEqual } from '../encoding.ts';
import { clearPasswordAttempts, recordPasswordAttempt } from '../checks/attempt-limits.ts';
import type { Account } from '../records.ts';
import { demoPassword } from '../seed.ts';
import { findTestCard } from '../test-cards.ts';

/** The longest accepted password, in characters. */
const maxPassword = 256;

/**
 * The account with this user name and password; undefined where they do not match. An unknown name takes as long as a wrong
 * password. Attempts are counted before the password is checked, for the account and for the address.
 * @throws ProtocolError `too_many_attempts`
 */
export async function checkPassword(
	context: Context,
	username: string,
	password: string
): Promise<Pick<Account, 'username'> | undefined> {
	await recordPasswordAttempt(context, username);
	const card = findTestCard(context, 'account', username);
	const account = await context.sandbox.store.get('account', username);
	const actual = await hashPassword(context, password.slice(0, maxPassword), account?.salt ?? 'unknown');
	const matches =
		card === undefined
			? timingSafeEqual(actual, account?.password ?? '0'.repeat(43)) && password.length <= maxPassword
			: card.outcome !== 'wrong_password' && password === demoPassword;
	if (!matches) return undefined;
	await clearPasswordAttempts(context, username);
	return { username };
}

/**
 * The stored form of a password.
 * @throws ProtocolError `too_many_attempts`
 */
export async function hashPassword(
	{ queues, address, options }: Context,
	password: string,
	salt: string
): Promise<string> {
	return base64url(await queues.passwords.run(address, () => options.scrypt(password, encodeUtf8(salt))));
}
