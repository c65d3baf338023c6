import { testCardsApi } from '#api/control/test-cards.ts';
import { allTestCards } from '../sandbox/test-card-list.ts';
import { implement } from './control-endpoint.ts';

export const testCardsEndpoints = implement(testCardsApi, {
	'GET /control/test-cards': ({ sandbox }) => ({ enabled: sandbox.state.settings.test_cards, cards: allTestCards })
});
