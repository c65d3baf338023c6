import { authorize, choose, openBuilder } from '../request-builder.ts';
import { expect, test } from './fixtures.ts';

test('the request builder gets a code, uses it twice as a mistake, and finds its token revoked', async ({
	served,
	site
}) => {
	await openBuilder(served, site.base);
	await authorize(served);
	await served.getByRole('button', { name: 'Code used twice' }).click();
	await served.getByRole('button', { name: 'Send with this mistake' }).click();
	await expect(served.getByText('Failed as predicted: The code was not used before')).toBeVisible();
	await choose(served, 'Character');
	await served.getByRole('button', { name: 'Send request' }).click();
	await expect(served.getByText('invalid_token').first()).toBeVisible();
	expect(site.leaks()).toEqual([]);
});
