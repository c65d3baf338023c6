import type { ReadPreset } from '#api/control/preset.ts';
import type { CreatedSandbox } from '#api/control/sandboxes.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { ProtocolError } from '../core/errors.ts';
import { addFaults } from '../sandbox/faults.ts';
import { resolveBaseUrl } from '../sandbox/redirect-uris.ts';
import { validateUris } from '../sandbox/validate-uris.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { maxTimestamp } from '#api/control/clock.ts';
import { characterKey, demoStored, mergeSettings } from '../world/seed.ts';
import { createSecret } from '../token/client-authentication.ts';
import type { ControlContext } from './control-endpoint.ts';
import { readOwnWorld, requireOwnApi, useWorld } from './own-world.ts';

type NewApplication = NonNullable<ReadPreset['applications']>[number];

/**
 * Checks what the schema cannot. A preset that passes fits every new sandbox.
 * @throws ProtocolError `invalid_request` that names the field
 */
export function validatePreset(
	context: ControlContext,
	{ world: own, settings = {}, applications = [], faults = [] }: ReadPreset
): void {
	const world = own ? readOwnWorld(context, own).world : context.sandbox.seed.world;
	requireOwnApi(settings, world, 'preset.settings.dialect');
	const seeded = world.applications.map(({ client_id }) => client_id);
	applications.forEach((application, at) => {
		const place = `preset.applications.${at}`;
		if (seeded.includes(application.client_id))
			throw wrong(`${place}.client_id`, 'Every sandbox has this application.');
		if (application.name.trim() === '') throw wrong(`${place}.name`, 'The application needs a name.');
		try {
			urisOf(application, `${context.sandbox.base_url}/~${'x'.repeat(20)}`);
		} catch (fault) {
			throw fault instanceof ProtocolError
				? wrong(`${place}.${fault.field?.split('.', 1)[0] ?? ''}`, fault.message)
				: fault;
		}
	});
	const known = new Set([...seeded, ...applications.map(({ client_id }) => client_id)]);
	faults.forEach(({ client_id }, at) => {
		if (client_id !== undefined && !known.has(client_id))
			throw wrong(`preset.faults.${at}.client_id`, 'No application has this client_id.');
	});
}

/**
 * Puts a new sandbox into the state of a preset. An application that is there already stays.
 * @param preset that `validatePreset` accepted
 * @returns the secrets of the added applications
 */
export async function applyPreset(
	context: ControlContext,
	sandbox: Sandbox,
	preset: ReadPreset
): Promise<CreatedSandbox['applications']> {
	const { world, offset = 0, settings = {}, accounts, characters = [], applications = [], faults = [] } = preset;
	if (world !== undefined) await useWorld(context, sandbox, readOwnWorld(context, world).own);
	await sandbox.updateState((state) => ({
		...state,
		offset: Math.min(offset * 1000, maxTimestamp - context.options.now()),
		settings: mergeSettings(state.settings, settings)
	}));
	if (accounts !== undefined) await setAccounts(sandbox, accounts);
	await addCharacters(sandbox, characters);
	const secrets: CreatedSandbox['applications'] = [];
	const known = new Set((await sandbox.store.list('application')).map(([client_id]) => client_id));
	for (const application of applications.filter(({ client_id }) => !known.has(client_id)))
		secrets.push(await addApplication(context, sandbox, application));
	await addFaults(sandbox, context.options, faults);
	return secrets;
}

/** Replaces the accounts. Those of the world keep their passwords, the others have that of the demo accounts. */
async function setAccounts({ store }: Sandbox, usernames: readonly string[]): Promise<void> {
	const seeded = new Map(await store.list('account'));
	for (const [username] of seeded) await store.delete('account', username);
	for (const username of usernames)
		await store.update('account', username, () => seeded.get(username) ?? { username, ...demoStored });
}

/** Adds characters that are not there. They belong to the first account, by the order of the names. */
async function addCharacters({ store }: Sandbox, names: readonly string[]): Promise<void> {
	if (names.length === 0) return;
	const [[player] = ['']] = await store.list('account');
	await Promise.all(
		names.map((name) => store.update('character', characterKey(name), (known) => known ?? { name, player, fields: {} }))
	);
}

async function addApplication(
	context: ControlContext,
	sandbox: Sandbox,
	application: NewApplication
): Promise<CreatedSandbox['applications'][number]> {
	const { client_id, kind } = application;
	const { client_secret, secret } = createSecret(context.options);
	context.redact(client_secret);
	const name = sanitizeText(application.name.trim(), 80);
	const uris = urisOf(application, sandbox.base_url);
	const registered = sandbox.seconds();
	await sandbox.store.update('application', client_id, () => ({
		client_id,
		name,
		kind,
		...uris,
		registered,
		secret
	}));
	return { client_id, name, client_secret };
}

/** Of either dialect: an application keeps its redirect URIs when the dialect changes. */
function urisOf({ kind, redirect_uris, post_logout_redirect_uris = [] }: NewApplication, base_url: string) {
	const resolve = (uri: string) => resolveBaseUrl(uri, base_url);
	const uris = {
		redirect_uris: redirect_uris.map(resolve),
		post_logout_redirect_uris: post_logout_redirect_uris.map(resolve)
	};
	return validateUris(kind, uris, 'any');
}

function wrong(field: string, description: string): ProtocolError {
	return new ProtocolError('invalid_request', description, { field });
}
