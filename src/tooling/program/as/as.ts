import { createHash, hash, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownProvider } from '#api/dialect.ts';
import { createTrustingFetch } from '#client/cli/ca-certificates.server.ts';
import { ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { type Certificate, createCertificate } from '#hosts/tls/create-certificate.server.ts';
import { hostsOf } from '#service/provider/provider-urls.ts';
import { describeOwn, findProvider, worldOf } from '#service/provider/providers.ts';
import { baseUrlOf, certificatesOf } from '../base-url.ts';
import { UsageError } from '../client-exam/choices.ts';
import { runCommand } from '../run-command.ts';
import type { Destination } from './interceptor.ts';
import { createRouteAuthority, namesOf, startRoutes } from './routes.ts';
import { createNodeService, setSharedService } from '#hosts/node-service.server.ts';
import { loadPages } from '#hosts/node/kit-pages.server.ts';
import { startServer } from '#hosts/node/server.server.ts';
import { readWorld } from '#service/world/read-world.ts';
import type { World } from '#service/world/world.ts';

/** What a user chooses, unchanged. */
export type AsOptions = {
	/** Base URL of a sandbox of a server that runs already. */
	readonly url?: string;
	readonly ca?: string;
	readonly clientId?: string;
	readonly clientSecret?: string;
	readonly redirectUri?: readonly string[];
};

/** Where the files of the package are. */
export type AsFiles = {
	/** URL of the built `route-hosts.js`. */
	readonly hook: string;
	/** Folder of the built pages. */
	readonly pages: string;
};

const localNames = ['localhost', '127.0.0.1', '::1'];

/**
 * Runs a command whose programs reach simulated providers at the real URLs: Node programs by a module that is loaded into them, others
 * by a proxy. Only they get both, and the certificate authority, which may sign for no other hosts.
 * @param list names of providers, with commas
 * @param command the program and its arguments
 * @param print gets what a user needs to know
 * @returns the exit code of the command
 * @throws UsageError for options that cannot be used
 */
export async function speakAs(
	list: string,
	command: readonly string[],
	options: AsOptions,
	{ hook, pages }: AsFiles,
	print: (text: string) => void
): Promise<number> {
	const sandbox = options.url === undefined ? undefined : sandboxAt(options.url, options.ca);
	if (list.split(',').some((name) => name.trim() === ownProvider)) await readOwn(sandbox);
	const names = namesOf(list);
	const client = ownClientOf(options);
	const folder = mkdtempSync(join(tmpdir(), 'tollgate-as-'));
	const closers = [() => Promise.resolve(rmSync(folder, { recursive: true, force: true }))];
	try {
		const hosts = hostsOf(names);
		const authority = await createRouteAuthority(names, localNames);
		let destination: Destination;
		if (sandbox === undefined) {
			const certificate = await createCertificate(authority, localNames, Date.now());
			const service = await startOwnService({ ...certificate, cert: certificate.cert + authority.cert }, pages, client);
			closers.unshift(() => service.close());
			destination = { baseUrl: service.origin, ca: [authority.cert] };
		} else destination = sandbox;
		const routes = await startRoutes(names, authority, destination, { folder, hook });
		closers.unshift(() => routes.close());
		const { baseUrl } = destination;
		print(
			[
				'',
				`  Tollgate as ${names.map((name) => findProvider(name)?.short).join(', ')}. Simulated, and not affiliated with them.`,
				`  Hosts      ${hosts.join(', ')}`,
				`  Sandbox    ${baseUrl}`,
				`  Inspector  ${baseUrl}/inspector`,
				...clientLines(options, baseUrl),
				`  Browser    ${browserCommand(hosts, routes.port, authority, join(folder, 'chromium'))} ${baseUrl}/inspector`,
				''
			].join('\n')
		);
		return await runCommand(command, { ...process.env, ...routes.env, TOLLGATE_BASE_URL: baseUrl }, print);
	} finally {
		for (const close of closers) await close();
	}
}

function sandboxAt(url: string, ca: string | undefined): Destination {
	const baseUrl = baseUrlOf(url);
	return { baseUrl, ca: certificatesOf(baseUrl, ca) };
}

/** Reads what the world of a sandbox describes. */
async function readOwn(sandbox: Destination | undefined): Promise<void> {
	if (sandbox === undefined)
		throw new UsageError(`${ownProvider} is the API that a sandbox describes. Name it with --url.`);
	const { baseUrl, ca } = sandbox;
	const api = new ControlApi(baseUrl, createTrustingFetch(ca));
	const read = await api.request('GET /control/provider').catch((reason: unknown) => {
		if (!(reason instanceof ControlError)) throw reason;
		throw new UsageError(`The sandbox at ${baseUrl} cannot be read. ${reason.message}`);
	});
	const { provider } = worldOf(read.provider);
	if (provider === undefined) throw new UsageError(`The world of ${baseUrl} describes no API.`);
	describeOwn(provider);
}

function ownClientOf({ url, ca, clientId, clientSecret, redirectUri }: AsOptions): OwnClient | undefined {
	if (url === undefined && ca !== undefined) throw new UsageError('--ca needs --url.');
	const given = [clientId, clientSecret, redirectUri];
	if (given.every((option) => option === undefined)) return undefined;
	if (url !== undefined)
		throw new UsageError('A server that runs already has its own applications. Register yours on its page /console.');
	if (clientId === undefined || clientSecret === undefined || redirectUri === undefined)
		throw new UsageError('--client-id, --client-secret and --redirect-uri belong together.');
	return { clientId, clientSecret, redirectUris: redirectUri };
}

function clientLines({ url, clientId, redirectUri = [] }: AsOptions, baseUrl: string): string[] {
	if (url !== undefined) return [`  Clients    ${baseUrl}/console`];
	const known =
		clientId === undefined
			? `character-viewer / viewer-secret with ${baseUrl}/viewer/callback. Yours: --client-id, --client-secret, --redirect-uri`
			: `${clientId} with ${redirectUri.join(', ')}`;
	return [`  Client     ${known}`, '  Accounts   player-one, player-two, player-three (password: demo)'];
}

/** Starts Chromium with a new profile, in which only the named hosts lead to this machine. */
function browserCommand(hosts: readonly string[], port: number, authority: Certificate, profile: string): string {
	const rules = hosts.map((host) => `MAP ${host.replace(/\{\w+\}/g, '*')} 127.0.0.1:${port}`).join(', ');
	const key = new X509Certificate(authority.cert).publicKey.export({ type: 'spki', format: 'der' });
	const digest = createHash('sha256').update(key).digest('base64');
	return `chromium --user-data-dir=${profile} --no-first-run --host-resolver-rules="${rules}" --ignore-certificate-errors-spki-list=${digest}`;
}

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
