import { expect, test } from 'vitest';
import { FlowPlayer } from '#features/home/flow-player.svelte.ts';
import { createFlowScript, limit } from '#features/home/flow-script.ts';

test('plays until the limit is reached and the barrier closes, then starts again', () => {
	const script = createFlowScript('Mara Vell');
	const flow = new FlowPlayer(script, 0);
	expect([flow.barrier, flow.remaining, flow.messages.length]).toEqual(['idle', limit, 0]);
	for (let position = 0; position < script.length; position += 1) flow.next();
	expect([flow.barrier, flow.remaining]).toEqual(['closed', 0]);
	expect(flow.checks.at(-1)).toMatchObject({ passed: false });
	const last = flow.messages.map(({ id }) => id);
	flow.next();
	expect([flow.messages.length, flow.remaining]).toEqual([1, limit]);
	expect(last).not.toContain(flow.messages[0]?.id);
});
