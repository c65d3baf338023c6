import { expect, test } from 'vitest';
import type { Preset } from '#api/control/preset.ts';
import { createPresetLink, readPresetLink } from '#features/controls/preset-link.ts';
import { createMomentLink, readMomentLink } from '#features/inspector/moment/moment-link.ts';
import { momentOfFlow } from '#features/inspector/moment/moment.ts';
import { builderLink, kindOptions, readBuilderLink } from '#features/request-builder/builder-link.ts';
import { mistakesOf } from '#features/request-builder/mistakes/mistakes.ts';
import { createTestService, type TestService } from '../../service/test-service.ts';
import { recordFlow } from '../inspector/record-flow.ts';

const root = 'https://tollgate.test/demo';

/** The page that a visitor of a link sees, where links contain the sandbox: in the static build. */
async function openedBy(service: TestService, path: string): Promise<string> {
	const sent: Preset = { format: 'tollgate-preset', version: 1, start: { path, username: 'player-one' } };
	const preset = await readPresetLink(new URL(await createPresetLink(root, sent)).hash);
	const made = await service.transport.send({
		method: 'POST',
		target: '/control/sandboxes',
		headers: ['Content-Type', 'application/json'],
		body: JSON.stringify({ preset })
	});
	expect(made?.status).toBe(201);
	return JSON.parse(made?.body ?? '').start_path;
}

test('a preset link opens the request builder with each of its mistakes', async () => {
	const service = createTestService();
	for (const { value: kind } of kindOptions(
		{ resource: { singular: 'character', plural: 'characters' } },
		'specification'
	)) {
		const mistakes = mistakesOf(kind, 'specification');
		expect(mistakes.length).toBeGreaterThan(0);
		for (const { id } of mistakes) {
			const path = await openedBy(service, builderLink({ kind, mistake: id }));
			expect(readBuilderLink(new URL(path, root).search)).toEqual({ kind, mistake: id });
		}
	}
});

test('a preset link opens a recorded flow', async () => {
	const service = createTestService();
	const { entries } = await recordFlow(await service.sandbox());
	const moment = momentOfFlow(
		entries[0]?.flow ?? '',
		{ all: entries, events: [], applications: new Map() },
		'character'
	);
	const path = await openedBy(service, await createMomentLink('', moment));
	expect(path).toMatch(/^\/moment#/);
	expect(await readMomentLink(new URL(path, root).hash)).toEqual(moment);
});
