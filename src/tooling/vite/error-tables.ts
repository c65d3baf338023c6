import type { ErrorText, ServiceError } from '#api/errors.ts';
import type { CliErrorText } from '#client/cli/cli-errors.ts';

type Errors<Text> = Readonly<Record<string, Text>>;

/** The error codes of the service as a table in Markdown. */
export function serviceErrorTable(errors: Errors<ServiceError>): string {
	return table(
		['Code', 'Status', 'Cause', 'Fix'],
		Object.entries(errors).map(([code, { status, redirect, cause, fix }]) => {
			const response = redirect === 'only' ? 'a redirect' : `${status}${redirect === 'also' ? ', or a redirect' : ''}`;
			return [`\`${code}\``, response, cause, fix];
		})
	);
}

/** The error codes of the demo clients as a table in Markdown. */
export function clientErrorTable(errors: Errors<ErrorText>): string {
	return table(
		['Code', 'Cause', 'Fix'],
		Object.entries(errors).map(([code, { cause, fix }]) => [`\`${code}\``, cause, fix])
	);
}

/**
 * The error codes that only the command line has, as a table in Markdown.
 * @param others the codes that other tables list
 */
export function cliErrorTable(errors: Errors<CliErrorText>, others: ReadonlySet<string>): string {
	const own = Object.entries(errors).filter(([code]) => !others.has(code));
	return table(
		['Code', 'Exit code', 'Cause', 'Fix'],
		own.map(([code, { exitCode = 1, cause, fix }]) => [`\`${code}\``, String(exitCode), name(cause), name(fix)])
	);
}

/** The exit codes of the command line as a table in Markdown. */
export function exitCodeTable(exitCodes: readonly (readonly [exitCode: number, meaning: string])[]): string {
	return table(
		['Exit code', 'Meaning'],
		exitCodes.map(([code, meaning]) => [String(code), `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`])
	);
}

/** Replaces the values of the moment by their names, and commands by how the user types them. */
function name(text: string): string {
	return text
		.replace('{message}', 'The message says what is wrong.')
		.replace(/`([^`]*)\{(\w+)\}`/g, (_, before: string, value: string) => `\`${before}${value.toUpperCase()}\``)
		.replace(/\{(\w+)\}/g, (_, value: string) => `\`${value.toUpperCase()}\``)
		.replace(/\{companion ([^}]+)\}/g, '`npm run companion -- $1`');
}

/** A table in Markdown. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
	return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
