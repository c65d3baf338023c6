import { resolve } from 'node:path';
import type { World } from '#service/world/world.ts';
import { WorldError } from '#service/world/world-mistakes.ts';
import { loadWorldFile } from '../world-file.server.ts';

/**
 * Checks a world file without starting a server: `npx tollgate check world.json`. Environment variables that it refers to can be
 * absent: the server may get them elsewhere.
 * @param path of the file
 * @param folder for a relative path
 * @returns what to print, and whether the file is valid
 */
export function checkWorld(path: string, folder: string): { readonly isValid: boolean; readonly text: string } {
	const missing = new Set<string>();
	const variable = (name: string) => {
		if (!process.env[name]) missing.add(name);
		return process.env[name] || 'absent';
	};
	try {
		const world = loadWorldFile(resolve(folder, path), variable);
		const variables =
			missing.size === 0
				? ''
				: `\nThe server needs environment variables that are not set here: ${[...missing].join(', ')}.`;
		return { isValid: true, text: describe(path, world) + variables };
	} catch (fault) {
		if (fault instanceof WorldError) return { isValid: false, text: fault.message };
		throw fault;
	}
}

/** What the world contains, and which of its secrets every visitor gets. */
function describe(
	path: string,
	{ brand, picture, permissions, accounts, characters, applications, ...world }: World
): string {
	const counts = [
		count(permissions.length, 'permission'),
		count(accounts.length, 'account'),
		count(characters.length, 'character'),
		count(applications.length, 'application')
	];
	const shown = accounts.filter(({ isPublished }) => isPublished).map(({ username }) => username);
	const clients = [world.viewer, world.companion].filter((client) => client?.client_secret !== undefined);
	return [
		`${path} is valid: ${brand.name}, with ${counts.join(', ')}.`,
		`Passwords that the sign-in page shows: ${shown.length === 0 ? 'none' : `those of ${shown.join(', ')}`}.`,
		`Secrets that pages get: ${clients.length === 0 ? 'none' : `those of ${clients.map((one) => one?.client_id).join(', ')}`}.`,
		...(brand.logo !== undefined && picture === undefined
			? ['Previews of links have no picture. Add brand.picture, a PNG. The world studio draws one.']
			: [])
	].join('\n');
}

function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
