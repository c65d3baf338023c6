import * as v from 'valibot';
import { settingsChange, type SettingsChange } from '#api/control/settings.ts';
import { ownWorld } from '#api/control/world.ts';
import { preset, presetApi } from '#api/control/preset.ts';
import { ProtocolError } from '../core/errors.ts';
import { activeFaults } from '../sandbox/faults.ts';
import { baseUrlPlaceholder } from '../sandbox/redirect-uris.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { characterKey } from '../world/seed.ts';
import { type ControlContext, implement } from './control-endpoint.ts';

/** What a new sandbox needs to be prepared like this one. */
export const presetEndpoints = implement(presetApi, { 'GET /control/preset': presetOf });

async function presetOf(context: ControlContext): Promise<v.InferOutput<typeof preset>> {
	const { sandbox } = context;
	const content = {
		format: 'tollgate-preset',
		version: 1,
		...unlessEmpty('name', sandbox.state.name ?? ''),
		...unlessEmpty('world', await ownWorldOf(sandbox)),
		...unlessEmpty('settings', changedSettings(sandbox)),
		...unlessEmpty('offset', Math.floor(sandbox.state.offset / 1000)),
		...unlessEmpty('accounts', await changedAccounts(sandbox)),
		...unlessEmpty('characters', await addedCharacters(sandbox)),
		...unlessEmpty('applications', await addedApplications(sandbox)),
		...unlessEmpty('faults', faultsOf(context))
	};
	const result = v.safeParse(preset, content);
	if (result.success) return result.output;
	throw new ProtocolError(
		'limit_reached',
		'This sandbox has more accounts, characters or applications than a preset can contain. Save a snapshot instead.'
	);
}

/** The world file of a sandbox; empty if it has the world of the server. */
export async function ownWorldOf({ store, state }: Sandbox): Promise<object> {
	const own = state.world === undefined ? undefined : await store.get('world', 'world');
	return own === undefined ? {} : v.parse(ownWorld, JSON.parse(own.file));
}

/** The settings that differ from those of a new sandbox. */
function changedSettings({ state, seed }: Sandbox): SettingsChange {
	const { lifetimes, limits, ...switches } = state.settings;
	const defaults = seed.initialState(0).settings;
	return v.parse(settingsChange, {
		...unlessEmpty('lifetimes', differing(lifetimes, defaults.lifetimes)),
		...unlessEmpty('limits', differing(limits, defaults.limits)),
		...differing(switches, defaults)
	});
}

/** All user names, if they are not those of a new sandbox. */
async function changedAccounts({ store, seed }: Sandbox): Promise<string[]> {
	const names = (await store.list('account')).map(([username]) => username);
	return String([...names].sort()) === String(seed.world.accounts.map(({ username }) => username).sort()) ? [] : names;
}

/** The names of the characters that a new sandbox does not have. */
async function addedCharacters({ store, seed }: Sandbox): Promise<string[]> {
	const known = new Set(seed.world.characters.map(({ name }) => characterKey(name)));
	return (await store.list('character')).flatMap(([key, { name }]) => (known.has(key) ? [] : [name]));
}

/** The applications that a new sandbox does not have, without their secrets. */
async function addedApplications({ store, base_url, seed }: Sandbox): Promise<object[]> {
	const known = new Set(seed.world.applications.map(({ client_id }) => client_id));
	const shorten = (uri: string) =>
		uri.startsWith(`${base_url}/`) ? baseUrlPlaceholder + uri.slice(base_url.length) : uri;
	return (await store.list('application'))
		.filter(([client_id]) => !known.has(client_id))
		.map(([, { client_id, name, kind, redirect_uris, post_logout_redirect_uris: after }]) => ({
			client_id,
			name,
			kind,
			redirect_uris: redirect_uris.map(shorten),
			...(after && { post_logout_redirect_uris: after.map(shorten) })
		}));
}

/** The active faults. In the new sandbox each lasts an hour again. */
function faultsOf({ sandbox, options }: ControlContext): object[] {
	return activeFaults(sandbox, options).map(({ id: _id, until: _until, ...fault }) => fault);
}

function unlessEmpty(name: string, value: object | number | string): object {
	const isEmpty = typeof value === 'number' ? value === 0 : Object.keys(value).length === 0;
	return isEmpty ? {} : { [name]: value };
}

function differing(values: object, defaults: object): object {
	return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== Reflect.get(defaults, name)));
}
