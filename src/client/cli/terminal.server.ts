import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import yoctoSpinner from 'yocto-spinner';
import type { CliError } from './cli-error.ts';
import type { CliEnvironment } from './environment.server.ts';

/** Writes results to standard output and everything else to standard error. */
export class Terminal {
	readonly #stdout: Writable;
	readonly #stderr: Writable;
	readonly #json: boolean;

	/** @param json whether standard output carries one line of JSON and nothing else */
	constructor({ stdout, stderr }: Pick<CliEnvironment, 'stdout' | 'stderr'>, json: boolean) {
		this.#stdout = stdout;
		this.#stderr = stderr;
		this.#json = json;
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
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(width(column)))
				.join('  ')
				.trimEnd()
		)
		.join('\n');
}
