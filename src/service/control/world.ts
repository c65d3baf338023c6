import { maxOwnWorld, worldApi, type PublicWorld } from '#api/control/world.ts';
import { encodeUtf8 } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { rootSandbox } from '../core/target.ts';
import { permissionsOf } from '../sandbox/permissions.ts';
import type { OwnWorld } from '../sandbox/records.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readWorld } from '../world/read-world.ts';
import { characterKey } from '../world/seed.ts';
import { toPublicWorld, type World } from '../world/world.ts';
import { WorldError } from '../world/world-mistakes.ts';
import { implement, type ControlContext } from './control-endpoint.ts';

/** What the pages call and show. */
export const worldEndpoints = implement(worldApi, {
	'GET /control/world': ({ sandbox }) => publicWorldOf(sandbox),
	'GET /control/guide': ({ sandbox }) => ({ guide: sandbox.seed.world.guide }),
	'PUT /control/world': async (context, { body }) => {
		if (context.sandbox.id === rootSandbox)
			throw new ProtocolError('forbidden', 'The root sandbox has the world of the server. Create a sandbox first.');
		return use(context, readOwnWorld(context, body, context.bodyText).own);
	},
	'DELETE /control/world': (context) => use(context, undefined)
});

async function use({ sandbox, pauses }: ControlContext, own: OwnWorld | undefined): Promise<PublicWorld> {
	await sandbox.useWorld(own);
	pauses.set(sandbox.id, sandbox.base_url, []);
	return publicWorldOf(sandbox);
}

async function publicWorldOf(sandbox: Sandbox): Promise<PublicWorld> {
	const { world } = sandbox.seed;
	const shown = world.viewer.shows.map((name) => sandbox.store.get('character', characterKey(name)));
	const characters = (await Promise.all(shown)).filter((character) => character !== undefined);
	return toPublicWorld(world, { permissions: await permissionsOf(sandbox), characters });
}

/** A password takes a tenth of a second of the processor. */
const maxPasswords = 10;

/**
 * Reads a world file for one sandbox.
 * @param content of the file
 * @param text the file as it was sent, for the lines of its mistakes
 * @throws ProtocolError `invalid_request` that lists all mistakes
 */
export function readOwnWorld(
	{ options }: ControlContext,
	content: object,
	text?: string
): { own: OwnWorld; world: World } {
	const file = JSON.stringify(content);
	if (encodeUtf8(file).length > maxOwnWorld)
		throw invalid(`It is larger than ${maxOwnWorld / 1024} KiB. Use smaller images.`);
	try {
		const world = readWorld(text ?? file, { digest: options.digest });
		if (new Set(world.accounts.map(({ password }) => password)).size > maxPasswords)
			throw invalid(`Its accounts have more than ${maxPasswords} different passwords.`);
		return { own: { file }, world };
	} catch (fault) {
		throw fault instanceof WorldError ? invalid(fault.message) : fault;
	}
}

function invalid(reason: string): ProtocolError {
	return new ProtocolError('invalid_request', `The world file is invalid. ${reason}`, { field: 'world' });
}
