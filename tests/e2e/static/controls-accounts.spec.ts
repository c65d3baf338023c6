import { editAccounts } from '../edit-accounts.ts';
import { sharedTest } from './fixtures.ts';

sharedTest('accounts are created and deleted by keyboard, with errors at the fields', async ({ served, site }) => {
	await served.goto(`${site.url}controls/accounts`);
	await editAccounts(served);
});
