import { expect, test } from 'vitest';
import { createFlows, FlowPlayer } from '#features/home/flow-player.svelte.ts';

test('shows the rejected request at first, then the flow without the mistake, then the first one again', () => {
	const flows = createFlows('Mara Vell');
	const flow = new FlowPlayer(flows);
	expect([flow.barrier, flow.position, flow.messages.length]).toEqual(['closed', 7, 7]);
	expect(flow.result?.mistake).toMatchObject({ found: '/viewer/callback/', expected: '/viewer/callback' });
	const last = flow.messages.map(({ id }) => id);
	flow.next();
	expect([flow.barrier, flow.position, flow.messages.length]).toEqual(['idle', 1, 1]);
	expect(last).not.toContain(flow.messages[0]?.id);
	for (let position = 1; position < flow.length; position += 1) flow.next();
	expect([flow.barrier, flow.result?.remaining]).toEqual(['open', 5]);
	flow.next();
	expect(flow.messages[0]?.label).toBe(flows[0]?.[0]?.message.label);
});
