import type { TestCards } from '#wire/control/test-cards.ts';
import { testCards } from '../test-card-list.ts';
import { publicEndpoint } from './control-endpoint.ts';

/** `GET test-cards`: the test cards, and whether this sandbox uses them. Needs no key. */
export const listTestCards = publicEndpoint(({ sandbox }): TestCards => ({
	enabled: sandbox.state.settings.test_cards,
	cards: [...testCards]
}));
