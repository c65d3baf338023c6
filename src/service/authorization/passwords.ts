import type { Call } from '../context.ts';
import { base64url, encodeUtf8, sameDigest } from '../encoding.ts';
import { allowGuess, countGuess, guessedRight } from '../checks/attempt-limits.ts';
import type { Account } from '../records.ts';

/** The longest password that is looked at, in characters. */
const longestPassword = 256;

/**
 * The account that a user name and a password belong to, or undefined. An unknown name costs the same time as a wrong
 * password. Guesses are counted before they are checked, for the account and for the address.
 * @throws ProtocolError `too_many_attempts`
 */
export async function checkPassword(call: Call, username: string, password: string): Promise<Account | undefined> {
	const name = username.slice(0, 64);
	const targets = [`here ${name} ${call.address}`, `account ${name}`, `person ${call.address}`] as const;
	// Whoever has no guess left is not counted for the names that he makes up on: they would crowd out the counts of others.
	await allowGuess(call, `person ${call.address}`);
	for (const target of targets) await countGuess(call, target);
	const account = await call.sandbox.area.get('account', username);
	const given = await hashPassword(call, password.slice(0, longestPassword), account?.salt ?? 'nobody');
	const matches = sameDigest(given, account?.password ?? '0'.repeat(43)) && password.length <= longestPassword;
	if (account === undefined || !matches) return undefined;
	for (const target of targets) await guessedRight(call, target);
	return account;
}

/** A password in the form in which it is stored. */
export async function hashPassword(call: Call, password: string, salt: string): Promise<string> {
	return base64url(await call.options.stretch(password, encodeUtf8(salt)));
}
