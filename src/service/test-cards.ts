import type { TestCard } from '#wire/control/test-cards.ts';
import type { Context } from './context.ts';
import type { Character } from './seed.ts';

/** How long the slow character takes, in milliseconds. */
export const slowDelay = 3000;
/** The lifetime of the access tokens of the account for short tokens, in seconds. */
export const shortLifetime = 120;
/** The length of the field that makes a response long. Clients often limit bodies to 64,000 or 100,000 characters. */
const longLength = 131_072;

/** Every test card: names that choose the outcome from inside the request, in every sandbox. Nothing of them is stored. */
export const testCards = [
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

/**
 * The test card with this name. Undefined where there is none, or where the sandbox does not use test cards.
 * @param name of a character or an account
 */
export function findTestCard(
	{ sandbox }: Context,
	kind: TestCard['kind'],
	name: string | undefined
): TestCard | undefined {
	if (!sandbox.state.settings.test_cards) return undefined;
	return testCards.find((card) => card.kind === kind && card.name === name);
}

/** Whether no account can be created with this name, also while test cards are off. */
export function isReservedUsername(username: string): boolean {
	return testCards.some(({ kind, name }) => kind === 'account' && name === username);
}

/** What a test card did, for the trace. */
export function describeCard({ name, effect }: TestCard): string {
	return `Test card ${name}. ${effect}`;
}

/** The public character behind a test card. It belongs to no player. */
export function testCharacter({ name, outcome }: TestCard): Character {
	return {
		name,
		player: '',
		race: 'Automaton',
		class: 'Test card',
		level: 1,
		guild: 'Even & Odd',
		location: { region: 'North Pass', place: 'The Barrier' },
		inventory: [],
		credits: 0,
		...(outcome === 'long_body' ? { biography } : {})
	};
}

const biography = 'This text is long on purpose. '.repeat(Math.ceil(longLength / 30));
