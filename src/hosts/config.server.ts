import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import type { World } from '#service/world/world.ts';
import { WorldError } from '#service/world/world-mistakes.ts';
import {
	choice,
	ConfigError,
	readSecretSetting,
	textOf,
	wholeNumber,
	type Environment
} from './read-setting.server.ts';
import { parseEmbedOrigins } from './embedding.ts';
import { readRedisAddress } from './node/redis/redis-address.ts';
import { readLessons } from './lesson-files.server.ts';
import { isLoopback } from './security-headers.ts';
import { localSeats } from './settings.ts';
import { worldOf } from './world-file.server.ts';

export type ServerConfig = {
	readonly port: number;
	readonly host: string;
	/** `https://host[:port]`, without a trailing slash. */
	readonly origin: string;
	readonly trustedProxies: number;
	readonly adminKey?: string | undefined;
	/** Whether the front page gives each visitor a sandbox. */
	readonly sandboxPerVisitor: boolean;
	/** Whether the server fetches documents of clients. */
	readonly fetchesDocuments: boolean;
	/** How many seats the classes have in all. */
	readonly classSeats: number;
	/** Whether a proxy ends TLS, and this server speaks plain HTTP to it. */
	readonly isPlainHttp: boolean;
	/** Files (PEM) of your own certificate. */
	readonly tls?: { readonly cert: string; readonly key: string } | undefined;
	/** What is printed of each exchange. */
	readonly log: 'off' | 'text' | 'json';
	/** The origins whose pages may frame the embedded pages. */
	readonly embed: readonly string[];
	/** Where `/livez`, `/readyz` and `/metrics` are. */
	readonly management?: { readonly host: string; readonly port: number } | undefined;
	/** Where the records are: in memory, in files of `dataFolder`, or in `redis`. */
	readonly store: 'memory' | 'disk' | 'redis';
	/** The address of Redis or Valkey, and what begins each key. */
	readonly redis?: { readonly url: string; readonly prefix: string };
	/** The folder for the certificate created on this machine, and for the records. */
	readonly dataFolder: string;
	/** What a fresh sandbox is. Absent: the demo world. */
	readonly world?: World | undefined;
	/** Lesson files. Absent: none. */
	readonly lessons?: readonly LessonFile[] | undefined;
};

/**
 * Reads the settings from environment variables, by the table in `settings.ts`. Ignores empty ones.
 * @param environment names and values
 * @param folder for relative paths
 * @throws ConfigError for a value that is not allowed, and for settings that contradict each other
 */
export function readConfig(environment: Environment, folder: string): ServerConfig {
	const port = wholeNumber(environment, 'PORT') ?? 0;
	const host = checkedHost(environment, 'HOST');
	const given = environment.ORIGIN ? checkedOrigin(environment.ORIGIN) : undefined;
	const trustedProxies = wholeNumber(environment, 'TRUSTED_PROXIES') ?? 0;
	const adminKey = readSecretSetting(environment, 'ADMIN_KEY', folder);
	if (adminKey !== undefined && adminKey.length < 16) {
		throw new ConfigError(
			'ADMIN_KEY is shorter than 16 characters. Make a longer one, for example with `openssl rand -hex 16`.'
		);
	}
	const isPrivate =
		isLoopback(host) && isLoopback(new URL(given ?? 'https://localhost').hostname) && trustedProxies === 0;
	if (!isPrivate && adminKey === undefined) {
		throw new ConfigError(
			'Other machines can reach and control this server because of HOST, ORIGIN or TRUSTED_PROXIES. ' +
				'Set ADMIN_KEY to a secret of at least 16 characters, for example from `openssl rand -hex 16`.'
		);
	}
	const { TLS_CERT: cert, TLS_KEY: key } = environment;
	if (!cert !== !key) throw new ConfigError('Set both TLS_CERT and TLS_KEY, or neither.');
	const isPlainHttp = choice(environment, 'PLAIN_HTTP') === 'on';
	if (isPlainHttp && (given === undefined || trustedProxies === 0)) {
		throw new ConfigError(
			'PLAIN_HTTP is for a server behind a proxy that ends TLS. Set ORIGIN to the public https address and TRUSTED_PROXIES to the number of proxies.'
		);
	}
	if (isPlainHttp && cert)
		throw new ConfigError('With PLAIN_HTTP the proxy has the certificate. Remove TLS_CERT and TLS_KEY.');
	const managementPort = wholeNumber(environment, 'MANAGEMENT_PORT');
	const managementHost = checkedHost(environment, 'MANAGEMENT_HOST');
	if (managementPort === port && port !== 0)
		throw new ConfigError(`PORT and MANAGEMENT_PORT are both ${port}. Choose another MANAGEMENT_PORT.`);
	const world = readWorldSetting(environment, folder);
	return {
		port,
		host,
		origin: given ?? originOfServer(host, port),
		trustedProxies,
		adminKey,
		sandboxPerVisitor: choice(environment, 'VISITOR_SANDBOXES') === 'on' && adminKey !== undefined,
		fetchesDocuments: choice(environment, 'CLIENT_DOCUMENTS') === 'fetch',
		classSeats: wholeNumber(environment, 'CLASS_SEATS') ?? (isPrivate ? localSeats : 0),
		isPlainHttp,
		tls: cert && key ? { cert: resolve(folder, cert), key: resolve(folder, key) } : undefined,
		log: choice(environment, 'LOG'),
		embed: readEmbedOrigins(environment),
		management: managementPort === undefined ? undefined : { host: managementHost, port: managementPort },
		...readStore(environment, folder),
		dataFolder: resolve(folder, textOf(environment, 'DATA_DIR') ?? ''),
		world,
		lessons: readLessons(environment, folder)
	};
}

/**
 * The origin of a listening server.
 * @param host a name or an address of one machine
 * @param port 443 is left out
 * @throws ConfigError for 0.0.0.0 and ::, which are every address
 */
export function originOfServer(host: string, port: number): string {
	if (host === '0.0.0.0' || host === '::') {
		throw new ConfigError(
			`HOST=${host} listens on every address. Set ORIGIN to the public one, for example https://tollgate.example.`
		);
	}
	const name = isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
	return port === 443 ? `https://${name}` : `https://${name}:${port}`;
}

/**
 * The origins whose pages may frame the embedded pages.
 * @throws ConfigError
 */
export function readEmbedOrigins(environment: Environment): readonly string[] {
	const { mistake, origins } = parseEmbedOrigins(textOf(environment, 'EMBED') ?? '');
	if (mistake !== undefined) throw new ConfigError(mistake);
	return origins;
}

function checkedHost(environment: Environment, name: 'HOST' | 'MANAGEMENT_HOST'): string {
	const host = textOf(environment, name) ?? '';
	if (isIP(host) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host)) return host;
	throw new ConfigError(`${name} is "${host}". Set it to a host name or an address, for example localhost or 0.0.0.0.`);
}

function checkedOrigin(value: string): string {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
		throw new ConfigError(
			`ORIGIN is ${url?.password ? 'a URL with a password' : `"${value}"`}. Set it to https:// and a host without a path, for example https://tollgate.example.`
		);
	}
	return url.origin;
}

function readWorldSetting(environment: Environment, folder: string): World | undefined {
	try {
		return worldOf(environment, folder);
	} catch (error) {
		throw error instanceof WorldError ? new ConfigError(error.message) : error;
	}
}

function readStore(environment: Environment, folder: string): Pick<ServerConfig, 'store' | 'redis'> {
	const store = readSecretSetting(environment, 'STORE', folder) ?? '';
	const prefix = textOf(environment, 'STORE_PREFIX');
	if (store === 'memory' || store === 'disk') {
		if (prefix === undefined) return { store };
		throw new ConfigError(`STORE_PREFIX is for a store in Redis. Remove it, or set STORE to redis://host:6379.`);
	}
	if (readRedisAddress(store) === undefined) {
		// An address may contain a password, and a file may contain nothing else.
		const shown = /[@:]/.test(store) || !environment.STORE ? 'not an address of Redis' : `"${store}"`;
		throw new ConfigError(`STORE is ${shown}. Set it to memory, disk, or an address such as redis://localhost:6379.`);
	}
	if (prefix !== undefined && !/^[\w.-]{1,64}$/.test(prefix))
		throw new ConfigError(`STORE_PREFIX is "${prefix}". Set it to at most 64 letters, digits, "_", "-" and ".".`);
	return { store: 'redis', redis: { url: store, prefix: prefix ?? 'tollgate' } };
}
