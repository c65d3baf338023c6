import { hash } from 'node:crypto';
import { readWorld } from '#service/world/read-world.ts';
import { toPublicWorld } from '#service/world/world.ts';

/** What every visitor may know of the demo world. */
export function demoWorld() {
	const digest = (text: string) => hash('sha256', text, 'base64url');
	return toPublicWorld(readWorld({ format: 'tollgate-world', version: 1 }, { digest }));
}
