import type { Bracket } from './brackets.ts';
import { SyntaxMistake } from './compile.ts';
import { PartMissing } from './modules.ts';
import { ProgramError, ProgramStopped } from './program.ts';

/** Why a program ended before its exercise or exam did. */
export type RunProblem = {
	/** `syntax`: nothing was sent. `error`: the program could not be loaded. `stopped`: by a limit, or by its author. `page`: a part of this page is missing. */
	readonly kind: 'syntax' | 'error' | 'stopped' | 'page';
	/** At most two sentences. */
	readonly text: string;
	readonly line?: number | undefined;
	/** At the line, in a few words. */
	readonly label?: string;
	/** A bracket that is not closed. */
	readonly opened?: Bracket | undefined;
};

/** @param of what ended */
export function problemOf(error: unknown, of: 'run' | 'exam'): RunProblem {
	if (error instanceof SyntaxMistake) {
		const { message: text, line, label, opened } = error;
		return { kind: 'syntax', text, line, label, opened };
	}
	if (error instanceof ProgramStopped) return { kind: 'stopped', text: error.message };
	if (error instanceof ProgramError) return { kind: 'error', text: error.message, line: error.line };
	if (error instanceof PartMissing) return { kind: 'page', text: error.message };
	const message = error instanceof Error ? error.message : String(error);
	return { kind: 'page', text: `The ${of} ended early, because this page made a mistake: ${message}` };
}
