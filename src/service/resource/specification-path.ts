import type { Sandbox } from '../sandbox/sandbox.ts';

/**
 * The path of the specification for a request: a world can name its resource in another path, `/ws/v2.0/ship/<name>`.
 * @param path below the base URL, encoded
 * @param sandbox undefined where it does not exist
 */
export function specificationPath(path: string, sandbox: Sandbox | undefined): string {
	const alias = sandbox?.seed.world.resource.path;
	const own = `/ws/v2.0/${alias ?? ''}/`;
	return alias !== undefined && path.startsWith(own) ? `/ws/v2.0/character/${path.slice(own.length)}` : path;
}
