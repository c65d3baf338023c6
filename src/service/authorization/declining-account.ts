import { check } from '../core/check.ts';
import { describeCard, findTestCard } from '../sandbox/test-cards.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { respondWithDenied } from './authorization-response.ts';
import { completePending } from './pending.ts';

/** Declines in the place of the test account that always declines (specification, sections 2.2 and 7). */
export const declineForTestAccount = check<AuthorizationContext>(
	'consent.not_declined_by_test_account',
	async (context) => {
		const username = context.verifiedUsername ?? context.browser.session?.username;
		const card = findTestCard(context, 'account', username);
		if (card?.outcome !== 'access_denied') return;
		context.note(describeCard(card));
		context.username = username;
		if (context.pendingId !== undefined) await completePending(context);
		return respondWithDenied(context);
	}
);
