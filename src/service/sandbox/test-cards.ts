import type { TestCard } from '#api/control/test-cards.ts';
import type { Permission } from '#api/control/world.ts';
import type { Context } from '../core/context.ts';
import type { Account, Character } from './records.ts';
import { allTestCards } from './test-card-list.ts';

/** How long the slow character takes, in milliseconds. */
export const slowDelay = 3000;
/** The lifetime of the access tokens of the account for short tokens, in seconds. */
export const shortLifetime = 120;
/** The length of the field that makes a response long. Clients often limit bodies to 64,000 or 100,000 characters. */
const longLength = 131_072;

const cardsByName = { account: byName('account'), character: byName('character') };

/**
 * The test card with this name. Undefined if there is none, or if the sandbox does not use test cards.
 * @param name of a character or an account
 */
export function findTestCard(
	{ sandbox }: Context,
	kind: TestCard['kind'],
	name: string | undefined
): TestCard | undefined {
	if (name === undefined || !sandbox.state.settings.test_cards) return undefined;
	return cardsByName[kind].get(name);
}

function byName(kind: TestCard['kind']): ReadonlyMap<string, TestCard> {
	return new Map(allTestCards.filter((card) => card.kind === kind).map((card) => [card.name, card]));
}

/** What a test card did, for the trace. */
export function describeCard({ name, effect }: TestCard): string {
	return `Test card ${name}. ${effect}`;
}

/** The public character behind a test card. It belongs to no player, and has those of its fields that a permission opens. */
export function testCharacter({ name, outcome }: TestCard, permissions: readonly Permission[]): Character {
	const known = Object.entries(testFields).filter(([field]) => permissions.some(({ opens }) => opens.includes(field)));
	return {
		name,
		player: '',
		fields: { ...Object.fromEntries(known), ...(outcome === 'long_body' ? { biography } : {}) }
	};
}

const testFields = { race: 'Automaton', class: 'Test card', level: 1, guild: 'Even & Odd' };
const biography = 'This text is long on purpose. '.repeat(Math.ceil(longLength / 30));

/** The account with this user name: a test card, or one of the sandbox. */
export function findAccount(context: Context, username: string): Promise<Pick<Account, 'username'> | undefined> {
	const isCard = findTestCard(context, 'account', username) !== undefined;
	return isCard ? Promise.resolve({ username }) : context.store.get('account', username);
}
