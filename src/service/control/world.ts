import { worldApi, type PublicWorld } from '#api/control/world.ts';
import { ProtocolError } from '../core/errors.ts';
import { rootSandbox } from '../core/target.ts';
import { permissionsOf } from '../sandbox/permissions.ts';
import type { OwnWorld } from '../sandbox/records.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { characterKey } from '../world/seed.ts';
import { toPublicWorld, type World } from '../world/world.ts';
import { FormFields } from '../core/form-fields.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import { type ControlContext, implement } from './control-endpoint.ts';
import { readOwnWorld, useWorld } from './own-world.ts';
import { findShare } from './shares.ts';

/** What the pages call and show. */
export function worldEndpoints(registry: SandboxRegistry) {
	return implement(worldApi, {
		'GET /control/world': async (context) => {
			const share = shareIn(context);
			if (share === '') return publicWorldOf(context.sandbox);
			const { world, needsPassword } = await worldOfShare(context, registry, share);
			const shown = toPublicWorld(world);
			return {
				...shown,
				...(needsPassword && { needs_password: true }),
				...(shown.picture && { picture: `${shown.picture}?share=${share}` })
			};
		},
		'GET /control/picture': async (context) => {
			const share = shareIn(context);
			const { world } = share === '' ? context.sandbox.seed : await worldOfShare(context, registry, share);
			return { picture: world.picture };
		},
		'GET /control/guide': ({ sandbox }) => ({ guide: sandbox.seed.world.guide }),
		'GET /control/provider': ({ sandbox: { seed } }) => {
			if (seed.world.provider === undefined) return {};
			const { short: _short, version: _version, ...provider } = seed.world.provider;
			return { provider };
		},
		'PUT /control/world': async (context, { body }) => {
			if (context.sandbox.id === rootSandbox)
				throw new ProtocolError('forbidden', 'The root sandbox has the world of the server. Create a sandbox first.');
			return use(context, readOwnWorld(context, body, context.bodyText).own);
		},
		'DELETE /control/world': (context) => use(context, undefined)
	});
}

/** The id of a share link in the query. Empty if there is none. */
function shareIn({ query }: ControlContext): string {
	return new FormFields(query).get('share') ?? '';
}

/**
 * The world of the sandboxes that a share link creates. Of one with a password only the brand.
 * @throws ProtocolError `not_found` if the link has ended
 */
async function worldOfShare(
	context: ControlContext,
	registry: SandboxRegistry,
	id: string
): Promise<{ readonly world: World; readonly needsPassword: boolean }> {
	const { preset, password } = await findShare(registry, id, context.options.now());
	const needsPassword = password !== undefined;
	const { world: ofServer } = registry.root.seed;
	if (preset.world === undefined) return { world: ofServer, needsPassword };
	const { world } = readOwnWorld(context, preset.world);
	// The door of a link with a password shows whose it is, and not what is behind it.
	return { world: needsPassword ? { ...ofServer, brand: world.brand } : world, needsPassword };
}

async function use(context: ControlContext, own: OwnWorld | undefined): Promise<PublicWorld> {
	const { sandbox, pauses } = context;
	await useWorld(context, sandbox, own);
	pauses.end(sandbox.id);
	return publicWorldOf(sandbox);
}

async function publicWorldOf(sandbox: Sandbox): Promise<PublicWorld> {
	const { world } = sandbox.seed;
	const shown = world.viewer.shows.map((name) => sandbox.store.get('character', characterKey(name)));
	const characters = (await Promise.all(shown)).filter((character) => character !== undefined);
	return {
		id: sandbox.state.world,
		...toPublicWorld(world, { permissions: await permissionsOf(sandbox), characters })
	};
}
