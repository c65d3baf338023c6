import type { StatusClass } from '#service/core/options.ts';
import type { LazyTrafficEntry } from '#service/traffic/logged-exchange.ts';
import { textLine, toLogLine } from './log-line.server.ts';

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
