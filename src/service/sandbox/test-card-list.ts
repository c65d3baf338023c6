import type { TestCard } from '#api/control/test-cards.ts';

/** Every test card: names that choose the outcome from inside the request, in every sandbox. Nothing of them is stored. */
export const allTestCards = [
	{
		kind: 'character',
		name: 'Test Slow',
		outcome: 'slow',
		effect: 'The response arrives after 3 seconds.'
	},
	{
		kind: 'character',
		name: 'Test Error',
		outcome: 'server_error',
		effect: 'The response is 500 with the error server_error.'
	},
	{
		kind: 'character',
		name: 'Test Drop',
		outcome: 'no_response',
		effect: 'The connection closes without a response.'
	},
	{
		kind: 'character',
		name: 'Test Long',
		outcome: 'long_body',
		effect: 'The response body is longer than 128 KiB.'
	},
	{
		kind: 'account',
		name: 'test-declines',
		outcome: 'access_denied',
		effect: 'The consent is declined right after the sign-in: the client gets access_denied.'
	},
	{
		kind: 'account',
		name: 'test-wrong-password',
		outcome: 'wrong_password',
		effect: 'Every password is rejected.'
	},
	{
		kind: 'account',
		name: 'test-revoked',
		outcome: 'revoked',
		effect: 'Access is revoked right after the code exchange, so the new tokens do not work.'
	},
	{
		kind: 'account',
		name: 'test-short-token',
		outcome: 'short_token',
		effect: 'Access tokens expire after 2 minutes.'
	}
] as const satisfies readonly TestCard[];

/** Whether the name of an account or character is that of a test card, also while test cards are off. */
export function isTestCardName(kind: TestCard['kind'], name: string): boolean {
	return allTestCards.some((card) => card.kind === kind && card.name === name);
}
