/**
 * The words of a command line: separated by spaces, with single or double quotes around a word that contains spaces. A backslash
 * makes the next character plain. No shell is involved, so there are no variables and no pipes.
 */
export function splitCommand(line: string): string[] {
	const words = line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs);
	return [...words].map(([word]) =>
		word.replaceAll(
			/\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
			(_, plain?: string, double?: string, single?: string) =>
				plain ?? double?.replaceAll(/\\(.)/gs, '$1') ?? single ?? ''
		)
	);
}
