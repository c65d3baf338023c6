import * as v from 'valibot';
import { declare } from '../declare.ts';

/** A name that chooses the outcome of a request: a character, or an account with the password `demo`. */
export const testCard = v.object({
	kind: v.picklist(['character', 'account']),
	name: v.string(),
	outcome: v.picklist([
		'slow',
		'server_error',
		'no_response',
		'long_body',
		'access_denied',
		'wrong_password',
		'revoked',
		'short_token'
	]),
	/** What happens, in a sentence. */
	effect: v.string()
});

/** `GET test-cards`, for every visitor. */
export const testCards = v.object({
	/** Whether the setting `test_cards` is on. Otherwise these names are unknown. */
	enabled: v.boolean(),
	cards: v.array(testCard)
});

export const testCardsApi = declare({
	'GET /control/test-cards': {
		id: 'listTestCards',
		tag: 'Settings and faults',
		access: 'everybody',
		summary: 'List test cards',
		description:
			'Lists the characters and accounts that choose the outcome of a request, and whether they are on as `enabled`.',
		responses: { 200: { description: 'The test cards.', json: testCards } }
	}
});

export type TestCard = v.InferOutput<typeof testCard>;
