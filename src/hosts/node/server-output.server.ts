import type { StatusClass } from '#service/core/options.ts';
import type { LazyTrafficEntry } from '#service/traffic/logged-exchange.ts';
import { hash } from 'node:crypto';
import { rootSandbox } from '#service/core/target.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';

/** What `LOG` chooses: a line of JSON or text for each exchange, or none. */
export type LogFormat = 'json' | 'text' | 'off';

/** What a server writes: to standard output, and faults to standard error. */
export type ServerOutput = {
	/** Called for each exchange of the traffic logs. Absent where the log is off. */
	readonly onExchange?: ((sandbox: string, entry: LazyTrafficEntry, outcome: StatusClass) => void) | undefined;
	/** Writes a message for the operator. */
	note(message: string, details?: Readonly<Record<string, string>>): void;
	/** Writes an unexpected error. */
	report(fault: unknown, requestId?: string): void;
	/** Writes why the server could not start, at once. */
	fail(message: string): void;
	/** Writes what waits for the end of the turn, before the process ends. */
	flush(): void;
};

/**
 * Creates what writes the output of a server. With `LOG=json` each line is one object, so that a collector can read all of them.
 * The lines of one turn of the event loop are written together.
 * @param out gets whole lines
 * @param err gets faults, unless the format is JSON
 * @param now the time in milliseconds since 1970
 */
export function createServerOutput(
	format: LogFormat,
	out: (text: string) => void,
	err: (text: string) => void,
	now: () => number
): ServerOutput {
	let waiting: string[] = [];
	const flush = () => {
		if (waiting.length === 0) return;
		const text = `${waiting.join('\n')}\n`;
		waiting = [];
		out(text);
	};
	const add = (line: string) => {
		if (waiting.push(line) === 1) setImmediate(flush);
	};
	const addObject = (level: 'info' | 'error', rest: object) =>
		add(JSON.stringify({ time: new Date(now()).toISOString(), level, ...rest }));
	const onExchange = (sandbox: string, { entry }: LazyTrafficEntry, outcome: StatusClass) => {
		const line = toLogLine(sandbox, entry(0), outcome, now());
		add(format === 'json' ? JSON.stringify(line) : textLine(line));
	};
	return {
		onExchange: format === 'off' ? undefined : onExchange,
		note(message, details = {}) {
			if (format === 'json') addObject('info', { message: message.trim(), ...details });
			else out(`${message}\n`);
		},
		report(fault, requestId) {
			const text = fault instanceof Error ? (fault.stack ?? fault.message) : 'An unknown error.';
			const id = requestId === undefined ? {} : { id: requestId };
			if (format === 'json') addObject('error', { ...id, message: text });
			else err(`${text}\n`);
		},
		fail(message) {
			if (format === 'json') {
				addObject('error', { message });
				flush();
			} else err(`${message}\n`);
		},
		flush
	};
}

/** One exchange for the operator's log: of the traffic log's entry, where secrets are masked, what identifies it. */
type LogLine = {
	/** ISO 8601, by the machine's clock. */
	readonly time: string;
	readonly level: 'info';
	/** `X-Request-Id`. */
	readonly id: string;
	readonly endpoint: string;
	readonly method: string;
	readonly target: string;
	/** Null where there was no response. */
	readonly status: number | null;
	/** As in the metrics: `5xx` is an error of the server, `simulated` one that a fault or a test card caused. */
	readonly outcome: StatusClass;
	/** The error code of the response. */
	readonly error?: string | undefined;
	/** How long the service took, in milliseconds. */
	readonly duration: number;
	readonly address: string;
	/** The first characters of the digest of its id, which is a capability. Absent for the root sandbox. */
	readonly sandbox?: string | undefined;
};

const sandboxId = /((?:~|%(?:25)*7e|sandboxes\/|sandbox=))([\w-]{8,})/gi;

/**
 * Makes the log line of an exchange.
 * @param sandbox its id
 * @param outcome of the exchange
 * @param now the time in milliseconds since 1970. The time of the entry is that of the sandbox's clock
 */
function toLogLine(sandbox: string, entry: TrafficEntry, outcome: StatusClass, now: number): LogLine {
	const { id, endpoint, request, response, duration, address } = entry;
	const masked = request.target.replace(sandboxId, (_, mark: string, found: string) => mark + digestOf(found));
	const isRoot = sandbox === rootSandbox;
	const target = isRoot ? masked : masked.replaceAll(sandbox, digestOf(sandbox));
	const error = response === null ? undefined : errorOf(response);
	return {
		time: new Date(now).toISOString(),
		level: 'info',
		id,
		endpoint,
		method: request.method,
		target,
		status: response?.status ?? null,
		outcome,
		error,
		duration,
		address,
		sandbox: isRoot ? undefined : digestOf(sandbox)
	};
}

/** Characters that end a line, change how a terminal shows it, or cannot be seen. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same line as text. Control characters are escaped, because a terminal or a reader by lines would obey them. */
function textLine({ time, method, target, status, error, duration, address, id, sandbox }: LogLine): string {
	const outcome = `${status ?? 'no response'}${error === undefined ? '' : ` ${error}`}`;
	const where = sandbox === undefined ? '' : ` sandbox ${sandbox}`;
	const line = `${time} ${outcome} ${method} ${target} ${duration} ms ${address}${where} ${id}`;
	return line.replace(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

function digestOf(id: string): string {
	return hash('sha256', id, 'hex').slice(0, 8);
}

/** Of JSON and XML it is in the body, of a redirect in its address. */
function errorOf({ body, headers }: NonNullable<TrafficEntry['response']>): string | undefined {
	const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
	return (/"error":\s*"(\w+)"|<error>(\w+)</.exec(body) ?? /[?&#]error=(\w+)/.exec(location))?.slice(1).find(Boolean);
}
