import type { Journal } from '../events.ts';
import { plain } from '../problems.ts';
import type { CliError } from './error-messages.ts';
import type { CliEnvironment } from './environment.server.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const pace = 90;
const clearLine = '\r\u001b[2K';
const told = /^(?:Renewing|Holding|Another)/;

/** What the companion says: results on standard output, everything else on standard error. */
export class Terminal {
	/** Whether standard output carries JSON and nothing else. */
	readonly json: boolean;
	readonly #world: CliEnvironment;
	/** Draws the moving line, while there is one. */
	#draw: (() => void) | undefined;

	constructor(world: CliEnvironment, json: boolean) {
		this.#world = world;
		this.json = json;
	}

	/** A result: for people the text, with `--json` the data. */
	result(data: object, text: string): void {
		this.#world.out.write(this.json ? `${JSON.stringify(data)}\n` : `${text}\n`);
	}

	/** Something beside the result; above the moving line, while there is one. */
	note(text: string): void {
		this.#world.err.write(`${this.#draw === undefined ? '' : clearLine}${text}\n`);
		this.#draw?.();
	}

	/** A problem: for people three lines on standard error, with `--json` also as data on standard output. */
	failure(failure: CliError): void {
		const { title, why, next, section, detail } = failure;
		const { exitCode: _, ...error } = failure;
		if (this.json) this.#world.out.write(`${JSON.stringify({ error })}\n`);
		const where = section === undefined ? '' : ` (section ${section})`;
		const said = detail === undefined ? '' : `  The service: ${plain(detail)}\n`;
		this.#world.err.write(`${this.strong(`✗ ${title}`, 'err')}\n  ${why}${where}\n${said}  ${next}\n`);
	}

	/** Emphasised where a person looks and wants it (`NO_COLOR`). */
	strong(text: string, sink: 'out' | 'err' = 'out'): string {
		return this.#isStyled(sink) ? `\u001b[1m${text}\u001b[22m` : text;
	}

	/** Set back where a person looks and wants it. */
	faint(text: string, sink: 'out' | 'err' = 'out'): string {
		return this.#isStyled(sink) ? `\u001b[2m${text}\u001b[22m` : text;
	}

	/**
	 * Shows that something is under way: one moving line on a terminal, else plain lines.
	 * @param what is being done
	 * @param journal what happens meanwhile, as far as a person cares
	 * @param action that takes its time
	 */
	async during<T>(what: string, journal: Journal, action: () => Promise<T>): Promise<T> {
		const { err } = this.#world;
		const isMoving = err.isTerminal && this.#world.env.TERM !== 'dumb';
		let line = what;
		let frame = 0;
		const draw = () => err.write(`${clearLine}${frames[(frame += 1) % frames.length] ?? ''} ${line}`);
		const show = () => (isMoving ? draw() : err.write(`${line}\n`));
		show();
		const timer = isMoving ? setInterval(draw, pace) : undefined;
		this.#draw = isMoving ? draw : undefined;
		const unlisten = journal.listen((step) => {
			if (!told.test(step.what)) return;
			line = `${what} ${step.what.toLowerCase()} …`;
			show();
		});
		try {
			return await action();
		} finally {
			unlisten();
			clearInterval(timer);
			this.#draw = undefined;
			if (isMoving) err.write(clearLine);
		}
	}

	#isStyled(sink: 'out' | 'err'): boolean {
		const { env } = this.#world;
		return this.#world[sink].isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
	}
}

/**
 * Rows as aligned columns.
 * @param rows the first is the heading
 */
export function tableOf(rows: readonly (readonly string[])[]): string {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd()
		)
		.join('\n');
}
