import { maxSeats } from '#api/control/seats.ts';

/** The seats of a server that only this machine can reach: enough to try a class. */
export const localSeats = 30;

/** An environment variable that the server reads. */
export type Setting = {
	/** What it does, in Markdown. */
	readonly meaning: string;
	/** The value that applies without it. */
	readonly fallback?: string;
	/** What applies without it, in Markdown, where that is not a value. Default: nothing. */
	readonly otherwise?: string;
	/** The values that are allowed. */
	readonly oneOf?: readonly string[];
	/** The highest number allowed, for a whole number from 0. */
	readonly max?: number;
	/** Whether it is also read from a file, whose path is in the variable with `_FILE` at the end of its name. */
	readonly isSecret?: true;
};

/** The settings of the server. The server reads them by this table, and the documentation and `npx tollgate --help` show it. */
export const settings = {
	PORT: { fallback: '8443', max: 65535, meaning: 'The port, from 0 to 65535. 0 chooses a free one.' },
	HOST: {
		fallback: 'localhost',
		meaning: 'The host name or address to listen on. `0.0.0.0` means all addresses, and then `ORIGIN` is required.'
	},
	ORIGIN: {
		otherwise: '`https://HOST:PORT`',
		meaning:
			'The public address of the server: `https://` and a host, without a path. The service never uses the `Host` header.'
	},
	ADMIN_KEY: {
		isSecret: true,
		meaning:
			'The key that controls the root sandbox and all others, at least 16 characters. Required as soon as other machines can reach the server: if `HOST` or `ORIGIN` is not local, or `TRUSTED_PROXIES` is not 0.'
	},
	VISITOR_SANDBOXES: {
		fallback: 'on',
		oneOf: ['on', 'off'],
		meaning: 'With an `ADMIN_KEY`, the front page gives each visitor a sandbox. `off`: visitors use the root sandbox.'
	},
	CLIENT_DOCUMENTS: {
		fallback: 'fetch',
		oneOf: ['fetch', 'hosted'],
		meaning:
			'`fetch`: the server fetches the [document of a client](standard-client.md#clients-with-a-document) whose `client_id` is a URL. `hosted`: it sends no request to another host, and takes the documents of its sandboxes only.'
	},
	CLASS_SEATS: {
		otherwise: `\`${localSeats}\` if only this machine can reach the server, else \`0\``,
		max: maxSeats,
		meaning: `How many students can have a seat in a [class](control-api.md#classes) at the same time, from 0 to ${maxSeats}. The limits of one address do not count for them. \`0\`: no classes.`
	},
	TRUSTED_PROXIES: {
		fallback: '0',
		max: 16,
		meaning:
			'The number of reverse proxies in front of the server, from 0 to 16. The client address is that many entries from the right of `X-Forwarded-For`.'
	},
	PLAIN_HTTP: {
		fallback: 'off',
		oneOf: ['on', 'off'],
		meaning:
			'`on`: the server speaks plain HTTP, for a proxy that ends TLS. Requires an `ORIGIN` and `TRUSTED_PROXIES`. The proxy must set `X-Forwarded-Proto`, and requests that it did not receive by HTTPS are rejected.'
	},
	TLS_CERT: {
		otherwise: 'a certificate made on this machine',
		meaning:
			'The file of your certificate (PEM). Set it together with `TLS_KEY`. The server reads both again when they change.'
	},
	TLS_KEY: { otherwise: 'a key made on this machine', meaning: 'The file of the private key (PEM).' },
	STORE: {
		fallback: 'memory',
		isSecret: true,
		meaning:
			'`memory`: the records are lost when the server stops. `disk`: they are also in files of `DATA_DIR`. `redis://user:password@host:6379` or `rediss://` (TLS): they are in Redis or Valkey, and any number of servers with this setting are one service. `redis+cluster://` and `redis+sentinel://` are for several Redis servers. `npx tollgate` and the container use `disk` by default.'
	},
	STORE_PREFIX: {
		otherwise: '`tollgate`',
		meaning:
			'The beginning of each key in Redis, so that several services can share one. At most 64 letters, digits, `_`, `-` and `.`.'
	},
	DATA_DIR: {
		fallback: '.tollgate',
		meaning:
			'The folder for the certificate and the records, relative to the folder that the server starts in. `npx tollgate` uses `$XDG_DATA_HOME/tollgate` by default, which is `~/.local/share/tollgate` unless you set `XDG_DATA_HOME`. One server at a time can use its records.'
	},
	LOG: {
		fallback: 'off',
		oneOf: ['off', 'text', 'json'],
		meaning:
			'`text`: a line on standard output for each exchange of the traffic logs, with secrets masked. `json`: the same as JSON, for a log collector, with all other output. `off`: only the start and faults.'
	},
	WORLD: {
		otherwise: 'the demo world',
		meaning: 'The [world file](world.md): names, permissions, accounts, characters and applications of a fresh sandbox.'
	},
	WORLD_JSON: { meaning: 'The content of a world file, instead of `WORLD`.' },
	LESSONS: {
		meaning:
			'[Lesson files](own-lesson.md), with commas between them: at most 5. Learn lists them, and classes can choose them.'
	},
	EMBED: {
		meaning:
			'The origins whose pages may frame the [embedded pages](embed.md), for example `https://partner.example`. Several have spaces in between. Each is `https://` and a host, or `http://localhost` with a port. All other pages cannot be framed.'
	},
	MANAGEMENT_PORT: {
		max: 65535,
		meaning:
			'A port for the operator, in plain HTTP and without a key: `/livez` (the process runs), `/readyz` (it accepts requests) and `/metrics` (for Prometheus). Do not publish it.'
	},
	MANAGEMENT_HOST: {
		fallback: 'localhost',
		meaning:
			'The host name or address that `MANAGEMENT_PORT` listens on. In a container, `0.0.0.0` lets others of its network read it, for example a proxy or Prometheus.'
	}
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settings;

/** The table by name, without the types of its values. */
export const settingsByName: ReadonlyMap<string, Setting> = new Map(Object.entries(settings));

const width = 96;
const indent = '      ';

/**
 * The settings as text for a terminal.
 * @param defaults values that replace those of the table
 */
export function settingsHelp(defaults: Readonly<Record<string, string>> = {}): string {
	const blocks = [...settingsByName].map(([name, { fallback, otherwise = 'none', meaning, isSecret }]) => {
		const value = plain(defaults[name] ?? fallback ?? otherwise);
		const names = isSecret === true ? `${name}, ${name}_FILE` : name;
		return [`  ${names} (default: ${value})`, ...wrap(plain(meaning))].join('\n');
	});
	return `Settings (environment variables):\n${blocks.join('\n')}\n`;
}

/** Text without the marks of Markdown. */
function plain(markdown: string): string {
	return markdown.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

function wrap(text: string): string[] {
	const lines: string[] = [];
	let line = indent.trimEnd();
	for (const word of text.split(' ')) {
		if (line.trim() !== '' && line.length + 1 + word.length > width) {
			lines.push(line);
			line = '';
		}
		line = line.trim() === '' ? `${indent}${word}` : `${line} ${word}`;
	}
	return [...lines, line];
}
