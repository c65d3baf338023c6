/** How users start the program from the project's folder. */
export const defaultProgramName = 'npm run companion --';
/** The service that `npm start` starts. */
export const localService = 'https://localhost:8443';

/** Writes a command as the user has to type it for the same service. */
export type FormatCommand = (command: string) => string;

/**
 * Returns what writes commands for a service.
 * @param baseUrl of the service
 * @param ca the file of `--ca`
 * @param programName how users start the program
 */
export function commandFormatter(
	baseUrl: string,
	ca: string | undefined,
	programName = defaultProgramName
): FormatCommand {
	const service = baseUrl === localService ? '' : ` --base-url ${baseUrl}`;
	const trust = ca === undefined ? '' : ` --ca ${/^[\w./:~\\-]+$/.test(ca) ? ca : `"${ca}"`}`;
	return (command) => `${programName} ${command}${command.startsWith('-') ? '' : service + trust}`;
}
