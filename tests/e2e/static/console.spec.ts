import { endCredentials, fileAndDecideTicket } from '../console-journeys.ts';
import { control, sharedTest } from './fixtures.ts';

sharedTest('a blacklisted user files a ticket by keyboard and unblocks the address', ({ served, site }) =>
	fileAndDecideTicket(served, (method, path, body) => control(served, site, method, path, body), site.origin)
);

sharedTest('the visitor ends a token and revokes a grant by keyboard', ({ served, site }) =>
	endCredentials(served, site.origin)
);
