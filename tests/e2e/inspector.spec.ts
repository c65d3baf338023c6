import { test } from './fixtures.ts';
import { inspectFlow } from './inspect-flow.ts';

test('the inspector shows a flow with both channels and the events of the client, filters it and links to it', async ({
	page
}) => inspectFlow(page));
