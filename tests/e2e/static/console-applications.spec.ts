import { editApplications } from '../edit-applications.ts';
import { sharedTest } from './fixtures.ts';

sharedTest('applications are registered, tested, changed and deleted by keyboard', async ({ served, site }) => {
	await served.goto(`${site.url}console`);
	await editApplications(served, false);
});
