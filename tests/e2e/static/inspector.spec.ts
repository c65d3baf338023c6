import { inspectFlow } from '../inspect-flow.ts';
import { test } from './fixtures.ts';

test('the inspector shows a flow with both channels and the events of the client, filters it and links to it', async ({
	served,
	site
}) => inspectFlow(served, site.base));
