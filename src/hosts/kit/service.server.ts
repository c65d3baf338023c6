import type { Service } from '#service/service.ts';
import { createNodeService, getSharedService, getSharedStore } from '../node-service.server.ts';
import { isLoopback } from '../security-headers.ts';
import { readConfig } from '../config.server.ts';

const purgeEvery = 10_000;
let own: { readonly service: Service; purged: number } | undefined;

/**
 * The service behind SvelteKit's endpoints: the node host's if that runs, otherwise one of this bundle. Its store survives when
 * `npm run dev` loads changed code.
 * @param requested origin of a request. It is the base URL on loopback only. Elsewhere `ORIGIN` is required.
 * @throws Error if the public address of this server is unknown
 */
export function getService(requested: string): Service {
	const shared = getSharedService();
	if (shared) return shared;
	own ??= { service: createOwn(requested), purged: Date.now() };
	if (Date.now() - own.purged > purgeEvery) {
		own.purged = Date.now();
		void own.service.purge().catch((fault: unknown) => console.error(fault));
	}
	return own.service;
}

function createOwn(requested: string): Service {
	const { origin, trustedProxies, adminKey, sandboxPerVisitor, world } = readConfig(process.env, process.cwd());
	if (!process.env.ORIGIN && !isLoopback(new URL(requested).hostname)) {
		throw new Error('Set ORIGIN to the public address of this server, for example https://tollgate.example.');
	}
	return createNodeService({
		origin: process.env.ORIGIN ? origin : requested,
		trustedProxies,
		sandboxPerVisitor,
		adminKey,
		world,
		store: getSharedStore()
	});
}
