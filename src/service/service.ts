import type { WireResult, WireRequest } from '#api/message.ts';
import { bodyLimitOf, findRoute } from './core/routes.ts';
import { readTarget } from './core/target.ts';

/** The simulated service, from message to message. */
export interface Service {
	/** Handles one request. Never rejects. */
	handle(request: WireRequest): Promise<WireResult>;
	/**
	 * Whether a request gets no response because its address is blacklisted (specification, section 3.3). A host asks before it
	 * responds itself, for example with `100 Continue`. False if only the body would tell. Not logged.
	 */
	isBlacklisted(request: Pick<WireRequest, 'method' | 'target' | 'headers' | 'peer'>): Promise<boolean>;
	/**
	 * Whether the sandbox that a target names exists; true for the root. A host asks before it shows a page below a sandbox.
	 * @param target path and query as sent
	 */
	hasSandbox(target: string): Promise<boolean>;
	/**
	 * Identifies the permissions and characters of the sandbox that a target names, which a snapshot replaces. A host that keeps pages
	 * renders them again for another version.
	 * @param target path and query as sent
	 * @returns empty for those of the world
	 */
	worldVersion(target: string): Promise<string>;
	/** Deletes what has expired, in all sandboxes. A host calls it every 10 seconds. */
	purge(): Promise<void>;
}

/**
 * The longest body of a request, in bytes: 16 KiB for a token request, 4 MiB for a snapshot (512 KiB outside the root sandbox), else
 * 64 KiB.
 */
export function bodyLimit({ method, target }: Pick<WireRequest, 'method' | 'target'>): number {
	const { sandboxId, path } = readTarget(target);
	return bodyLimitOf(findRoute(path, method), sandboxId === undefined);
}
