import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { isLoopback } from './security-headers.ts';

/** The configuration of a server. */
export type ServerConfig = {
	readonly port: number;
	readonly host: string;
	/** `https://host[:port]`, without a trailing slash. */
	readonly origin: string;
	readonly trustedProxies: number;
	readonly adminKey?: string;
	/** Whether the front page gives each visitor a sandbox. */
	readonly sandboxPerVisitor: boolean;
	/** Whether a proxy ends TLS, and this server speaks plain HTTP to it. */
	readonly isPlainHttp: boolean;
	/** Files (PEM) of your own certificate. */
	readonly tls?: { readonly cert: string; readonly key: string };
	/** The port of `/livez`, `/readyz` and `/metrics`. */
	readonly managementPort?: number;
	/** Where the records are: in memory, or in files of `dataFolder`. */
	readonly store: 'memory' | 'disk';
	/** The folder for the certificate made on this machine, and for the records. */
	readonly dataFolder: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** An invalid setting. Its message is for the user who started the server. */
export class ConfigError extends Error {
	override name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables. Ignores empty ones.
 * @param environment `PORT`, `HOST`, `ORIGIN`, `TRUSTED_PROXIES`, `PLAIN_HTTP`, `TLS_CERT`, `TLS_KEY`, `ADMIN_KEY`, `ADMIN_KEY_FILE`, `VISITOR_SANDBOXES`,
 *   `STORE`, `MANAGEMENT_PORT`, `DATA_DIR`
 * @param root the project's folder, for relative paths
 * @throws ConfigError
 */
export function readConfig(environment: Environment, root: string): ServerConfig {
	const port = wholeNumber(environment, 'PORT', 8443, 65535);
	const host = environment.HOST || 'localhost';
	if (isIP(host) === 0 && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host)) {
		throw new ConfigError(`HOST is "${host}". Set it to a host name or an address, for example localhost or 0.0.0.0.`);
	}
	const given = environment.ORIGIN ? checkedOrigin(environment.ORIGIN) : undefined;
	const trustedProxies = wholeNumber(environment, 'TRUSTED_PROXIES', 0, 16);
	const adminKey = readAdminKey(environment, root);
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
	const isPlainHttp = isOn(environment, 'PLAIN_HTTP', 'off');
	if (isPlainHttp && (given === undefined || trustedProxies === 0)) {
		throw new ConfigError(
			'PLAIN_HTTP is for a server behind a proxy that ends TLS. Set ORIGIN to the public https address and TRUSTED_PROXIES to the number of proxies.'
		);
	}
	if (isPlainHttp && cert)
		throw new ConfigError('With PLAIN_HTTP the proxy has the certificate. Remove TLS_CERT and TLS_KEY.');
	return {
		port,
		host,
		origin: given ?? originOf(host, port),
		trustedProxies,
		...(adminKey === undefined ? {} : { adminKey }),
		sandboxPerVisitor: isOn(environment, 'VISITOR_SANDBOXES', 'on') && adminKey !== undefined,
		isPlainHttp,
		...(cert && key ? { tls: { cert: resolve(root, cert), key: resolve(root, key) } } : {}),
		...(environment.MANAGEMENT_PORT ? { managementPort: wholeNumber(environment, 'MANAGEMENT_PORT', 0, 65535) } : {}),
		store: storeOf(environment.STORE || 'memory'),
		dataFolder: environment.DATA_DIR ? resolve(root, environment.DATA_DIR) : join(root, '.tollgate')
	};
}

/**
 * The origin of a listening server.
 * @param host a name or an address of one machine
 * @param port 443 is left out
 * @throws ConfigError for 0.0.0.0 and ::, which are every address
 */
export function originOf(host: string, port: number): string {
	if (host === '0.0.0.0' || host === '::') {
		throw new ConfigError(
			`HOST=${host} listens on every address. Set ORIGIN to the public one, for example https://tollgate.example.`
		);
	}
	const name = isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
	return port === 443 ? `https://${name}` : `https://${name}:${port}`;
}

function checkedOrigin(value: string): string {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
		throw new ConfigError(
			`ORIGIN is "${value}". Set it to https:// and a host without a path, for example https://tollgate.example.`
		);
	}
	return url.origin;
}

/** A file, so that the key of a container is not in its environment. */
function readAdminKey({ ADMIN_KEY: key, ADMIN_KEY_FILE: file }: Environment, root: string): string | undefined {
	if (!file) return key || undefined;
	if (key) throw new ConfigError('Set ADMIN_KEY or ADMIN_KEY_FILE, not both.');
	try {
		return readFileSync(resolve(root, file), 'utf8').trim();
	} catch (error) {
		const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
		throw new ConfigError(`Cannot read ${file}, the file in ADMIN_KEY_FILE (${reason}).`);
	}
}

function storeOf(value: string): ServerConfig['store'] {
	if (value === 'memory' || value === 'disk') return value;
	throw new ConfigError(`STORE is "${value}". Set it to memory or disk.`);
}

function isOn(environment: Environment, name: string, fallback: 'on' | 'off'): boolean {
	const value = environment[name] || fallback;
	if (value !== 'on' && value !== 'off') throw new ConfigError(`${name} is "${value}". Set it to on or off.`);
	return value === 'on';
}

function wholeNumber(environment: Environment, name: string, fallback: number, max: number): number {
	const value = environment[name];
	if (!value) return fallback;
	const number = /^\d{1,6}$/.test(value) ? Number(value) : NaN;
	if (!(number <= max)) {
		throw new ConfigError(`${name} is "${value}". Set it to a whole number from 0 to ${max}.`);
	}
	return number;
}
