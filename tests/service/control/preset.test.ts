import { expect, test } from 'vitest';
import {
	choiceSettings,
	defaultSettings,
	numberGroups,
	settingsChange,
	type SettingsChange
} from '#api/control/settings.ts';
import { ownProvider } from '#api/dialect.ts';
import { preset } from '#api/control/preset.ts';
import * as v from 'valibot';
import { Sandbox } from '../../conformance/sandbox.ts';
import { createTestService } from '../test-service.ts';

/** Each setting with a value that a new sandbox does not have. */
function everySetting(): SettingsChange {
	const { lifetimes: _lifetimes, limits: _limits, ...others } = defaultSettings;
	const numbers = numberGroups.flatMap(({ settings }) => settings.map(({ path, initial }) => [path, initial + 1]));
	const group = (name: string) =>
		Object.fromEntries(
			numbers.flatMap(([path, value]) => {
				const [of, field] = String(path).split('.');
				return of === name ? [[field, value]] : [];
			})
		);
	const last = new Map(
		choiceSettings.map(({ path, options }): [string, unknown] => [
			path,
			// Only worlds that describe an API have it.
			Object.keys(options).findLast((name) => name !== ownProvider)
		])
	);
	const switches = Object.entries(others).map(([name, value]) => [
		name,
		typeof value === 'boolean' ? !value : last.get(name)
	]);
	return v.parse(settingsChange, {
		lifetimes: group('lifetimes'),
		limits: group('limits'),
		...Object.fromEntries(switches)
	});
}

test('a preset has the dialect of an API that its world describes', async () => {
	const { transport } = createTestService();
	const create = (world: object) =>
		Sandbox.create(transport, {
			preset: { format: 'tollgate-preset', version: 1, world, settings: { dialect: 'own' } }
		});
	const world = { format: 'tollgate-world', version: 1 };
	await expect(create(world)).rejects.toThrow(/describes no API.*preset\.settings\.dialect/);
	const at = await create({ ...world, provider: { title: 'Example', dialect: {} } });
	expect(JSON.parse((await at.control('GET', 'status')).text)).toMatchObject({ provider: 'own' });
});

test('a preset carries each setting that was changed', async () => {
	const at = await createTestService().sandbox();
	const changed = everySetting();
	expect(Object.keys(changed)).toEqual(Object.keys(defaultSettings));
	await at.changeSettings(changed);
	expect((await at.controlled('GET', 'preset')).as(preset).settings).toEqual(changed);
});

test('a preset of a sandbox whose dialect changed makes a new sandbox', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const uri = 'http://127.0.0.1/callback';
	await at.register('installed', [uri]);
	await at.changeSettings({ dialect: 'specification' });
	const file = (await at.controlled('GET', 'preset')).json();
	const body = JSON.stringify({ preset: file });
	const headers = ['Content-Type', 'application/json'];
	const created = await at.transport.send({ method: 'POST', target: '/control/sandboxes', headers, body });
	expect([created?.status, JSON.stringify(file)]).toEqual([201, expect.stringContaining(uri)]);
});

test('a preset carries characters besides those of the world', async () => {
	const { transport } = await createTestService().sandbox();
	const characters = ['Exam 1', 'Exam / 2'];
	const body = JSON.stringify({ preset: { format: 'tollgate-preset', version: 1, characters } });
	const headers = ['Content-Type', 'application/json'];
	const sent = await transport.send({ method: 'POST', target: '/control/sandboxes', headers, body });
	const { id, key } = v.parse(v.object({ id: v.string(), key: v.string() }), JSON.parse(sent?.body ?? ''));
	const read = await transport.send({
		method: 'GET',
		target: `/~${id}/control/preset`,
		headers: ['X-Tollgate-Key', key]
	});
	expect(v.parse(preset, JSON.parse(read?.body ?? '')).characters).toEqual(characters);
});
