import { createHash, randomBytes, randomInt } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { outOfBand, pocketCompanion } from '../application.ts';
import { Client } from '../client.ts';
import { isOnThisMachine } from '../endpoints.ts';
import { Problem } from '../problems.ts';
import type { Session } from '../tokens/sessions.ts';
import { FileLocks } from './file-locks.server.ts';
import { CredentialsFile } from './credentials-file.server.ts';
import { caCertificates } from './ca-certificates.server.ts';
import type { CliEnvironment } from './environment.server.ts';

/** Pocket Companion at one service, for one command. */
export type Companion = {
	readonly base_url: string;
	readonly world: CliEnvironment;
	readonly client: Client;
	/** The file that keeps the tokens. */
	readonly path: string;
	readonly shelf: CredentialsFile;
};

/**
 * Opens the companion at a service.
 * @param base_url checked by `checkedBaseUrl`
 * @param ca the file of `--ca`
 * @param world outside of it
 * @param redirect_uri where a sign-in is answered
 * @throws {Problem} `ca_unreadable`, `shelf_unreadable`
 */
export async function openCompanion(
	base_url: string,
	ca: string | undefined,
	world: CliEnvironment,
	redirect_uri: string = outOfBand
): Promise<Companion> {
	const path = fileFor(base_url, world.env);
	const locks = new FileLocks(path);
	const shelf = new CredentialsFile(path, locks);
	const client = new Client(
		base_url,
		{
			shelf,
			locks,
			bell: { ring: () => undefined, listen: () => () => undefined },
			readXml: () => undefined, // it asks for JSON only
			tab: randomBytes(16).toString('hex'),
			newId: () => randomBytes(16).toString('hex'),
			fetch: world.fetch(caCertificates(base_url, ca, world)),
			now: world.now,
			timeout: world.timeout,
			jitter: () => randomInt(2 ** 32) / 2 ** 32,
			sleep
		},
		pocketCompanion(redirect_uri)
	);
	await client.recall();
	return { base_url, world, client, path, shelf };
}

/**
 * Who is signed in at the service.
 * @throws {Problem} `not_signed_in`
 */
export async function signedIn({ client }: Companion): Promise<Session> {
	const session = (await client.sessions.list()).at(-1);
	if (session === undefined) throw new Problem('not_signed_in');
	return session;
}

/**
 * A base URL as it was typed, in the form that everything is built on.
 * @param typed with or without a trailing slash
 * @throws {Problem} `usage`; `plain_http`, unless nothing leaves this machine
 */
export function checkedBaseUrl(typed: string): string {
	const url = URL.canParse(typed) ? new URL(typed) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
		throw new Problem(
			'usage',
			`--base-url takes an address such as https://localhost:8443, not ${typed || 'nothing'}.`
		);
	}
	if (url.protocol === 'http:' && !isOnThisMachine(typed)) {
		throw new Problem('plain_http', `${url.host}${url.pathname.replace(/\/+$/, '')}`);
	}
	return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** One file for each service, in the folder that the system has for settings. */
function fileFor(base_url: string, env: CliEnvironment['env']): string {
	const { host } = new URL(base_url);
	const { XDG_CONFIG_HOME: chosen = '', APPDATA: windows = '', HOME: home = homedir() } = env;
	const settings = [chosen, windows].find((folder) => isAbsolute(folder)) ?? join(home, '.config');
	const digest = createHash('sha256').update(base_url).digest('hex').slice(0, 12);
	return join(settings, 'tollgate', 'companion', `${host.replace(/[^\w.-]+/g, '-')}-${digest}.json`);
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
	await wait(milliseconds, undefined, signal === undefined ? {} : { signal }).catch((fault: unknown) => {
		throw new Problem('stopped', '', { cause: fault });
	});
}
