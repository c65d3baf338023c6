import type { Context } from '../core/context.ts';
import type { Account } from '../sandbox/records.ts';
import { findTestCard } from '../sandbox/test-cards.ts';

/** The account with this user name: a test card, or one of the sandbox. */
export function findAccount(context: Context, username: string): Promise<Pick<Account, 'username'> | undefined> {
	const isCard = findTestCard(context, 'account', username) !== undefined;
	return isCard ? Promise.resolve({ username }) : context.sandbox.store.get('account', username);
}
