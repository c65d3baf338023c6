/** A machine and a port. */
export type RedisNode = { readonly host: string; readonly port: number };

export type RedisAddress = {
	/** One server, a Redis Cluster (some of its nodes), or one whose primary Sentinels name. */
	readonly kind: 'single' | 'cluster' | 'sentinel';
	readonly isTls: boolean;
	/** At least one. */
	readonly nodes: readonly RedisNode[];
	readonly username?: string;
	readonly password?: string;
	/** The number of the database. A cluster has one only. */
	readonly database: number;
	/** What the Sentinels call the primary. */
	readonly primary?: string;
};

const pattern = /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?$/;

/**
 * Reads an address: `redis://user:password@host:6379/0`, `redis+cluster://host,host:6380` or `redis+sentinel://host,host/primary`. With
 * `rediss` the connections use TLS.
 * @returns undefined where it is none
 */
export function readRedisAddress(text: string): RedisAddress | undefined {
	const [, scheme, kind = 'single', login, places = '', path = ''] = pattern.exec(text) ?? [];
	if (scheme === undefined || (kind !== 'single' && kind !== 'cluster' && kind !== 'sentinel')) return undefined;
	const nodes = places.split(',').map((place) => readNode(place, kind === 'sentinel' ? 26379 : 6379));
	const known = nodes.filter((node) => node !== undefined);
	if (known.length < nodes.length || (kind === 'single' && known.length > 1)) return undefined;
	const rest = readPath(kind, path);
	const credentials = readLogin(login);
	if (rest === undefined || credentials === undefined) return undefined;
	return { kind, isTls: scheme === 'rediss', nodes: known, ...credentials, ...rest };
}

/** The address of a store without its user and password. */
export function placeOf(text: string): string {
	return readRedisAddress(text) === undefined ? 'this address' : text.replace(/\/\/[^/]*@/, '//');
}

function readNode(place: string, defaultPort: number): RedisNode | undefined {
	const [, address, name, digits] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(place) ?? [];
	const host = address ?? name;
	const port = digits === undefined ? defaultPort : Number(digits);
	return host === undefined || port === 0 || port > 65_535 ? undefined : { host, port };
}

function readPath(kind: RedisAddress['kind'], path: string): Pick<RedisAddress, 'database' | 'primary'> | undefined {
	if (kind === 'sentinel') return /^[\w.-]+$/.test(path) ? { database: 0, primary: path } : undefined;
	const longest = kind === 'cluster' ? 0 : 5;
	return new RegExp(`^\\d{0,${longest}}$`).test(path) ? { database: Number(path) } : undefined;
}

function readLogin(login = ''): Pick<RedisAddress, 'username' | 'password'> | undefined {
	const [, username = '', password] = /^([^:]*)(?::(.*))?$/.exec(login) ?? [];
	try {
		return {
			...(username === '' ? {} : { username: decodeURIComponent(username) }),
			...(password === undefined ? {} : { password: decodeURIComponent(password) })
		};
	} catch {
		return undefined;
	}
}
