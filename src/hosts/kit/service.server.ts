import type { Service } from '#service/service.ts';
import { createNodeService, getSharedService, getSharedStore } from '../node-service.server.ts';
import { isLoopback } from '../security-headers.ts';
import { readConfig } from '../config.server.ts';

const purgeEvery = 10_000;
let own: { readonly service: Service; purged: number } | undefined;

/**
 * The service that SvelteKit's endpoints answer with: the node host's where it stands in front, else one of this bundle's own,
 * over a store that lives on when `npm run dev` loads changed code.
 * @param asked the origin of a request, taken as the base URL only on loopback; elsewhere `ORIGIN` says it
 * @throws Error where nothing says under which address people find this server
 */
export function getService(asked: string): Service {
	const shared = getSharedService();
	if (shared) return shared;
	own ??= { service: createOwn(asked), purged: Date.now() };
	if (Date.now() - own.purged > purgeEvery) {
		own.purged = Date.now();
		void own.service.purge().catch((fault: unknown) => console.error(fault));
	}
	return own.service;
}

function createOwn(asked: string): Service {
	const { origin, trustedProxies, adminKey } = readConfig(process.env, process.cwd());
	if (!process.env.ORIGIN && !isLoopback(new URL(asked).hostname)) {
		throw new Error('Set ORIGIN to the public address of this server, for example https://tollgate.example.');
	}
	return createNodeService({
		origin: process.env.ORIGIN ? origin : asked,
		trustedProxies,
		...(adminKey === undefined ? {} : { adminKey }),
		store: getSharedStore()
	});
}
