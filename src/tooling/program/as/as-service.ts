import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createNodeService, setSharedService } from '#hosts/node-service.server.ts';
import { loadPages } from '#hosts/node/kit-pages.server.ts';
import { startServer } from '#hosts/node/server.server.ts';
import type { Certificate } from '#hosts/tls/create-certificate.server.ts';
import { readWorld } from '#service/world/read-world.ts';
import type { World } from '#service/world/world.ts';

/** An application as the provider knows it, so that a program keeps its settings. */
export type OwnClient = {
	readonly clientId: string;
	readonly clientSecret: string;
	readonly redirectUris: readonly string[];
};

/**
 * Starts a service on this machine for one command: on a free port, in memory, with its pages.
 * @param certificate for localhost
 * @param pages folder of the built pages; without them it has only the service
 * @param client besides those of the demo world
 */
export async function startOwnService(
	certificate: Certificate,
	pages: string,
	client: OwnClient | undefined
): Promise<{ readonly origin: string; close(): Promise<void> }> {
	const world = worldWith(client);
	return startServer({
		certificate,
		service(origin) {
			const service = createNodeService({ origin, world, report: (fault) => console.error(fault) });
			setSharedService(service);
			return service;
		},
		...(existsSync(pages) && { pages: (origin: string) => loadPages(pages, origin) })
	});
}

function worldWith(client: OwnClient | undefined): World {
	const digest = (text: string) => hash('sha256', text, 'base64url');
	const demo = readWorld({ format: 'tollgate-world', version: 1 }, { digest });
	if (client === undefined) return demo;
	const { clientId: client_id, clientSecret, redirectUris: redirect_uris } = client;
	const secret = { salt: client_id, digest: digest(`${client_id}:${clientSecret}`) };
	const others = demo.applications.filter((one) => one.client_id !== client_id);
	const own = { client_id, name: 'Your application', kind: 'web' as const, redirect_uris, secret };
	return { ...demo, applications: [...others, own] };
}
