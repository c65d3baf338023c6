import { beforeEach, expect, test } from 'vitest';
import {
	describeSettings,
	isSameSettings,
	numberSettings,
	SettingsForm,
	settingsPresets
} from '#features/controls/settings-form.svelte.ts';
import { defaultSettings, switchSettings } from '#api/control/settings.ts';
import { startControlService, type ControlService } from '../../client/control-api/control-service.ts';

const switches = switchSettings.map(({ path }) => path);
const settingOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
	numberSettings.map(({ path }) => [path, path.split('.')])
);
let service: ControlService;
let form: SettingsForm;

beforeEach(async () => {
	service = startControlService();
	form = new SettingsForm(service.api);
	await form.query.refresh();
});

/** The value of a setting at the service. */
async function stored(path: string): Promise<unknown> {
	let value: unknown = await service.api.request('GET /control/settings');
	for (const name of settingOf[path] ?? [path]) value = typeof value === 'object' && value && Reflect.get(value, name);
	return value;
}

test('the form shows the saved settings', () => {
	expect(form.saved).toEqual(defaultSettings);
	expect([form.texts['limits.window'], form.switches.strict, form.isDirty, form.isSaved]).toEqual([
		'1 h',
		true,
		false,
		false
	]);
});

test.each(numberSettings.map(({ path }) => path))('%s is sent as it was typed', async (path) => {
	form.texts[path] = ' 77 ';
	expect([form.isChanged(path), form.isDirty]).toEqual([true, true]);
	expect(await form.form.run(form.save)).toBe(true);
	expect(await stored(path)).toBe(77);
	expect([form.isDirty, form.isSaved]).toEqual([false, true]);
	expect(form.texts[path]).toMatch(/^(?:77|1 min 17 s)$/);
});

test.each(switches)('%s is sent as it was switched', async (name) => {
	const isOn = !form.switches[name];
	form.switches[name] = isOn;
	expect(form.isDirty).toBe(true);
	expect(await form.form.run(form.save)).toBe(true);
	expect(await stored(name)).toBe(isOn);
	expect(form.isDirty).toBe(false);
});

test('the dialect is sent as it was chosen, and discarded', async () => {
	form.choices.dialect = 'standard';
	expect(form.isDirty).toBe(true);
	form.discard();
	expect([form.choices.dialect, form.isDirty]).toEqual(['specification', false]);
	form.choices.dialect = 'standard';
	expect(await form.form.run(form.save)).toBe(true);
	expect([await stored('dialect'), form.isDirty]).toEqual(['standard', false]);
	expect(isSameSettings(defaultSettings, { ...defaultSettings, dialect: 'standard' })).toBe(false);
	expect(describeSettings({ dialect: 'standard' })).toEqual(['Dialect: Today’s standards']);
});

test('a duration is typed as users say it', async () => {
	form.texts['limits.window'] = '60 min';
	expect(form.isChanged('limits.window')).toBe(false);
	form.texts['limits.window'] = '1h 30m';
	expect(await form.form.run(form.save)).toBe(true);
	expect([await stored('limits.window'), form.texts['limits.window']]).toEqual([5400, '1 h 30 min']);
	form.texts['limits.window'] = '0 s';
	expect(await form.form.run(form.save)).toBe(false);
	expect(form.form.errorOf('limits.window')).toContain('10 min');
});

test.each(['0x10', '1e3', '', '1.5', '-1', 'ten', '٣', '10 minutos', 'min', '5 min x'])(
	'%j is an error at its field, and is not sent',
	async (text) => {
		service.requests.length = 0;
		form.texts['limits.window'] = text;
		expect(await form.form.run(form.save)).toBe(false);
		expect(form.form.errorOf('limits.window')).not.toBe('');
		expect(service.requests).toEqual([]);
		expect(form.texts['limits.window']).toBe(text);
	}
);

test('discarding shows the saved settings again, without an error', async () => {
	form.texts['limits.window'] = 'wrong';
	form.switches.test_cards = false;
	await form.form.run(form.save);
	form.discard();
	expect([form.isDirty, form.switches.test_cards, form.texts['limits.window']]).toEqual([false, true, '1 h']);
	expect(form.form.errorOf('limits.window')).toBe('');
});

test.each(settingsPresets.map(({ name, settings }) => [name, settings] as const))(
	'the preset %s applies all of its settings',
	async (_, settings) => {
		await form.apply(settings);
		expect(await service.api.request('GET /control/settings')).toEqual(settings);
		expect(form.saved).toEqual(settings);
	}
);

test.each([...numberSettings.map(({ path }) => path), ...switches])(
	'settings that differ in %s are not the same',
	(path) => {
		expect(isSameSettings(defaultSettings, structuredClone(defaultSettings))).toBe(true);
		const other = structuredClone<object>(defaultSettings);
		const [name = '', inner] = settingOf[path] ?? [path];
		const value: unknown = Reflect.get(other, name);
		if (inner === undefined) Reflect.set(other, name, !value);
		else if (typeof value === 'object' && value !== null) Reflect.set(value, inner, 7);
		expect(other).not.toEqual(defaultSettings);
		expect(isSameSettings(defaultSettings, { ...defaultSettings, ...other })).toBe(false);
	}
);

test('settings are described in the words of the form', () => {
	const change = { lifetimes: { access_token: 120 }, limits: { character: 1000, window: 60 }, strict: false };
	expect(describeSettings(change)).toEqual([
		'Lifetimes: Access token 2 min',
		'Limits: /ws/v2.0/character/* 1,000',
		'Limits: Window 1 min',
		'Strict: off'
	]);
});
