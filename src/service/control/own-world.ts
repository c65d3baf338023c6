import type { SettingsChange } from '#api/control/settings.ts';
import { maxOwnWorld } from '#api/control/world.ts';
import { ownProvider } from '#api/dialect.ts';
import { encodeUtf8 } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import type { OwnWorld } from '../sandbox/records.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readWorld } from '../world/read-world.ts';
import type { World } from '../world/world.ts';
import { WorldError } from '../world/world-mistakes.ts';
import type { ControlContext } from './control-endpoint.ts';

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

/**
 * Settings can choose the API of the world only where the world describes one.
 * @param field that names the dialect
 * @throws ProtocolError `invalid_request`
 */
export function requireOwnApi({ dialect }: SettingsChange, { provider }: World, field: string): void {
	if (dialect === ownProvider && provider === undefined)
		throw new ProtocolError('invalid_request', `${field}: The world of this sandbox describes no API.`, { field });
}

/**
 * Resets a sandbox to a world. Its passwords are hashed when it is the turn of the address, as those of sign-ins.
 * @param own undefined for the world of the server
 * @throws ProtocolError `too_many_attempts` if too many passwords of the address are waiting
 */
export function useWorld(
	{ queues, sharer }: ControlContext,
	sandbox: Sandbox,
	own: OwnWorld | undefined
): Promise<void> {
	return queues.passwords.run(sharer, () => sandbox.useWorld(own));
}

function invalid(reason: string): ProtocolError {
	return new ProtocolError('invalid_request', `The world file is invalid. ${reason}`, { field: 'world' });
}
