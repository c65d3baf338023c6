import { tryTestCards } from '../try-test-cards.ts';
import { test } from './fixtures.ts';

test('test cards can be tried in the viewer', async ({ served, site }) => {
	await served.goto(`${site.url}controls/test-cards`);
	await tryTestCards(served);
});
