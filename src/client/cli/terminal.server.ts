import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import yoctoSpinner from 'yocto-spinner';
import type { CliError } from './cli-error.ts';

/** What the command-line client uses of its process. Tests pass their own. */
export type CliEnvironment = {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The folder that `DATA_DIR` is relative to. A local Tollgate stores its CA certificate there. */
	readonly root: string;
	/** How users start the program. Default: `npm run companion --`. */
	readonly programName?: string | undefined;
	/** Receives results and nothing else. */
	readonly stdout: Writable;
	/** Receives progress, notes and errors. */
	readonly stderr: Writable;
	/** Opens the user's browser. Resolves to false if no browser was started. */
	readonly openBrowser: (url: string) => Promise<boolean>;
	/** Aborts on Ctrl-C. */
	readonly interrupted: AbortSignal;
};

/** Writes results to standard output and everything else to standard error. */
export class Terminal {
	readonly #stdout: Writable;
	readonly #stderr: Writable;
	readonly #json: boolean;

	/** @param json whether standard output carries one line of JSON and nothing else */
	constructor({ stdout, stderr }: CliEnvironment, json: boolean) {
		[this.#stdout, this.#stderr, this.#json] = [stdout, stderr, json];
	}

	/** Writes a result: the text, or with `--json` the data. */
	result(data: object, text: string): void {
		this.#stdout.write(`${this.#json ? JSON.stringify(data) : text}\n`);
	}

	/** Writes a line beside the result. The spinner stays below it. */
	note(text: string): void {
		this.#stderr.write(`${text}\n`);
	}

	/** Writes an error to standard error, and with `--json` also as data to standard output. */
	error({ exitCode: _, ...error }: CliError): void {
		const { title, reason, next_step, section, description } = error;
		if (this.#json) this.#stdout.write(`${JSON.stringify({ error })}\n`);
		const heading = styleText('bold', `✗ ${title}`, { stream: this.#stderr });
		const reference = section === undefined ? '' : ` (section ${section})`;
		const quote = description === undefined ? '' : `  Service: ${description}\n`;
		this.note(`${heading}\n  ${reason}${reference}\n${quote}  ${next_step}`);
	}

	/** Styles a part of a result, if standard output is a terminal. */
	style(format: 'bold' | 'dim', text: string): string {
		return styleText(format, text, { stream: this.#stdout });
	}

	/**
	 * Shows progress while an action runs: a spinner on a terminal, otherwise a line.
	 * @param text what is being done
	 */
	async withSpinner<T>(text: string, action: () => Promise<T>): Promise<T> {
		if (!('isTTY' in this.#stderr && this.#stderr.isTTY === true)) {
			this.note(text);
			return action();
		}
		// Ctrl-C is handled by the command, which then says how it ended.
		const spinner = yoctoSpinner({ text, stream: this.#stderr, handleSignals: false }).start();
		try {
			return await action();
		} finally {
			spinner.stop();
		}
	}
}

/**
 * Formats rows as aligned columns.
 * @param rows the first is the heading
 */
export function formatTable(rows: readonly (readonly string[])[]): string {
	const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
	const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(width(column))).join('  '));
	return lines.map((line) => line.trimEnd()).join('\n');
}
