import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, CommanderError, Option } from 'commander';
import { readConfig } from '#hosts/config.server.ts';
import { ConfigError } from '#hosts/read-setting.server.ts';
import { checkReady } from '#hosts/node/management.server.ts';
import { checkLesson, checkWorld } from '#hosts/node/check-world.server.ts';
import { settingsHelp } from '#hosts/settings.ts';
import { addOptions, examHelp, readChoices, UsageError, type Given } from './client-exam/choices.ts';
import { scormEditions } from '#course/embed/scorm-run-time.ts';
import type { AsOptions } from './as/as.ts';
import type { ExplainChoices } from './explain-har.ts';
import { addSandboxCommand } from './sandbox.ts';
import { readLessonFiles, siteWarnings } from '#hosts/lesson-files.server.ts';
import { WriteError, writeStaticSite } from './static-site.ts';

/** What `npx tollgate` sets unless the user does. */
const defaults = { STORE: 'disk', DATA_DIR: defaultDataFolder(process.env) };

/**
 * Runs one command line of `npx tollgate`. Without a command it starts the server.
 * @param args the command first
 * @param packageFolder the folder with `build/`
 * @returns the exit code. The server runs on after it
 */
export async function runProgram(args: readonly string[], packageFolder: string): Promise<number> {
	for (const [name, value] of Object.entries(defaults)) if (!process.env[`${name}_FILE`]) process.env[name] ||= value;
	let exitCode = 0;
	const program = createProgram(packageFolder, (code) => (exitCode = code));
	try {
		await program.parseAsync([...args], { from: 'user' });
		return exitCode;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		if (error instanceof UsageError) {
			console.error(`${error.message} See tollgate help ${args[0] ?? ''}.`);
			return 2;
		}
		if (!(error instanceof WriteError || error instanceof ConfigError || error instanceof RangeError)) throw error;
		console.error(error.message);
		return 1;
	}
}

/** The editions of SCORM as a user names them. */
const editions = scormEditions.map((name) => name.replace('SCORM ', ''));

/** What the help of `tollgate as` says besides the options. */
const asHelp = `Node programs are reached by NODE_OPTIONS, others by HTTPS_PROXY. They trust the certificates by NODE_EXTRA_CA_CERTS,
SSL_CERT_FILE, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE, GIT_SSL_CAINFO and DENO_CERT, and find the sandbox in TOLLGATE_BASE_URL.
Requests to other hosts pass unchanged. Requests to a named host never reach the provider. Nothing of the machine is changed.`;

/** What a user chooses about a SCORM package. */
type GivenPackage = { readonly edition: string; readonly lesson?: readonly string[]; readonly title: string };

/** @param end gets the exit code of a command */
function createProgram(packageFolder: string, end: (code: number) => void): Command {
	const program = new Command('tollgate')
		.description('A simulated OAuth 2.0 service with rate limits. Without a command, starts the server.')
		.version(versionOf(packageFolder))
		.exitOverride()
		.showHelpAfterError('Settings are environment variables, for example PORT=8080. See tollgate --help.')
		.helpCommand(true)
		.enablePositionalOptions()
		.addHelpText('after', () => `\n${settingsHelp(defaults)}`)
		.action(async (_options, { args }: Command) => {
			if (args[0] !== undefined) program.error(`There is no command ${args[0]}.`);
			const { main } = await import('#hosts/node/main.server.ts');
			end((await main(packageFolder, process.cwd())) ? 0 : 1);
		});
	program
		.command('companion')
		.description('run the command-line client, see tollgate companion --help')
		.argument('[args...]')
		.helpOption(false)
		.allowUnknownOption()
		.passThroughOptions()
		.action(async (args: readonly string[]) => {
			const { main } = await import('#client/cli/main.server.ts');
			end(await main(args, process.cwd(), 'npx tollgate companion'));
		});
	program
		.command('static')
		.description('write the build that needs no server, for any static host')
		.argument('<folder>', 'a new or empty folder')
		.option('--base <path>', 'URL of the site, or its path if it is not at the root of its host', '/')
		.option('--world <file>', 'world file of the site. Its secrets must be texts')
		.option('--lesson <file...>', 'lesson files of your own, which Learn shows')
		.action((folder: string, { base, world, lesson }: { base: string; world?: string; lesson?: string[] }) => {
			writeStaticSite(join(packageFolder, 'build/static-template.br'), folder, base, world, lesson);
			console.log(`Wrote the static files to ${folder}. Serve them over HTTPS, with 404.html for unknown paths.`);
			warnOf(lesson ?? []);
		});
	program
		.command('scorm')
		.description('write a package with lessons for a course system (SCORM). It needs no server and no account')
		.argument('<file>', 'a new file, such as course.zip')
		.addOption(new Option('--edition <edition>', 'of SCORM').choices(editions).default(editions[0]))
		.option(
			'--lesson <name...>',
			'lessons, by the last part of their address, and files of your own (.json) (default: all lessons)'
		)
		.option('--title <title>', 'of the course', 'OAuth 2.0 with Tollgate')
		.action(async (file: string, { lesson = [], edition: given, title }: GivenPackage) => {
			const { writeScorm } = await import('./scorm.ts');
			const edition = scormEditions.find((one) => one.endsWith(given)) ?? scormEditions[0];
			writeScorm(join(packageFolder, 'build/static-template.br'), file, { edition, title, lessons: lesson });
			console.log(`Wrote ${file}. Upload it to your course system.`);
			warnOf(lesson.filter((name) => name.endsWith('.json')));
		});
	program
		.command('check')
		.description('check a lesson file, or a world file with the passwords and secrets that visitors can see')
		.argument('<file>')
		.action((file: string) => {
			const { isValid, text } = checkLesson(file, process.cwd()) ?? checkWorld(file, process.cwd());
			(isValid ? console.log : console.error)(text);
			end(isValid ? 0 : 1);
		});
	addOptions(program.command('exam'))
		.description(
			'examine an OAuth client: start it, play its user and an unusual service, and report what it does wrong'
		)
		.argument('[command...]', 'starts the client, behind two dashes: -- npm start')
		.passThroughOptions()
		.addHelpText('after', () => `\n${examHelp}`)
		.action(async (command: readonly string[], given: Given) => {
			if (given.client === 'mcp') {
				const { examAgent } = await import('./client-exam/agent-exam.ts');
				end(await examAgent(given, command));
				return;
			}
			const choices = readChoices(given, command);
			const { exam } = await import('./client-exam/exam.ts');
			const interrupt = new AbortController();
			for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
			end(await exam(choices, interrupt.signal, hookOf(packageFolder, 'route-hosts')));
		});
	addSandboxCommand(program, end);
	program
		.command('explain')
		.description('explain a sign-in of any provider by its HAR file. Sends nothing anywhere, and shows no secret')
		.argument('<file...>', 'HAR files. The first is that of the browser, further ones are the back channel')
		.option('--json', 'print JSON')
		.option('--markdown', 'print Markdown')
		.option('--no-hosts', 'replace host names')
		.option('--part', 'read the whole entries of a file that is cut')
		.addHelpText(
			'after',
			'\nThe exit code is 1 if a rule failed, 2 if a file cannot be read, and 3 if nothing failed and the files do not show\nwhether the sign-in worked.'
		)
		.action(async (files: readonly string[], options: ExplainChoices) => {
			const { explainHar } = await import('./explain-har.ts');
			const { exitCode, text } = explainHar(files, options);
			(exitCode === 2 && !options.json ? console.error : console.log)(text);
			end(exitCode);
		});
	program
		.command('watch')
		.description('record the token and resource requests of a Node client in its process, without secrets, as HAR')
		.argument('<command...>', 'starts the client, behind two dashes: -- npm start')
		.option('--output <file>', 'HAR file that is written', 'watch.har')
		.passThroughOptions()
		.action(async (command: readonly string[], { output }: { output: string }) => {
			const { watch } = await import('./watch/watch.ts');
			const hook = hookOf(packageFolder, 'watch-hook');
			end(await watch(command, { output, hook, version: versionOf(packageFolder) }, console.error));
		});
	program
		.command('as')
		.description(
			'run a command whose programs reach simulated providers at their real URLs, such as https://github.com'
		)
		.argument('<providers>', 'names with commas, such as github,google')
		.argument('<command...>', 'runs your program, behind two dashes: -- npm run dev')
		.option('--url <URL>', 'base URL of a sandbox that runs already (default: a new one on this machine)')
		.option('--ca <file>', 'CA certificate of its server (PEM), default: that of a local Tollgate')
		.option('--client-id <id>', 'register your application with the id that it has at the provider')
		.option('--client-secret <secret>', 'its secret. Choose one: the real one is not needed')
		.option(
			'--redirect-uri <URI>',
			'its redirect URI, once for each',
			(uri: string, previous: readonly string[] | undefined): readonly string[] => [...(previous ?? []), uri]
		)
		.addHelpText('after', () => `\n${asHelp}`)
		.action(async (providers: string, command: readonly string[], options: AsOptions) => {
			const { speakAs } = await import('./as/as.ts');
			const hook = hookOf(packageFolder, 'route-hosts');
			end(await speakAs(providers, command, options, { hook, pages: join(packageFolder, 'build/kit') }, console.error));
		});
	program
		.command('mcp')
		.description('serve coding agents by the Model Context Protocol, over standard input and output')
		.option('--url <URL>', 'Tollgate that runs already (default: one is started)')
		.option('--key <key>', 'key that may create sandboxes there')
		.action(async (options: { url?: string; key?: string }) => {
			const { serveMcp } = await import('./mcp/mcp.ts');
			const again = [process.execPath, join(packageFolder, 'build/host/tollgate.js')];
			await serveMcp({ ...options, version: versionOf(packageFolder) }, again);
		});
	program
		.command('ready')
		.description(
			'check that the server with these settings accepts requests, for health checks (needs MANAGEMENT_PORT)'
		)
		.action(async () => {
			const problem = await checkReady(readConfig(process.env, process.cwd()));
			if (problem !== undefined) console.error(problem);
			end(problem === undefined ? 0 : 1);
		});
	// So that the action can name a command that does not exist. Set last, because commands inherit it.
	return program.allowExcessArguments();
}

/** The URL of a module that Node programs load first. */
function hookOf(packageFolder: string, name: 'watch-hook' | 'route-hosts'): string {
	return pathToFileURL(join(packageFolder, `build/host/${name}.js`)).href;
}

function versionOf(packageFolder: string): string {
	const about: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
	return typeof about === 'object' && about !== null && 'version' in about ? String(about.version) : '';
}

/**
 * The folder for a user's data: `$XDG_DATA_HOME/tollgate`, on Windows `%LOCALAPPDATA%\tollgate`, else `~/.local/share/tollgate`.
 * For a user without a home it is `.tollgate`.
 */
function defaultDataFolder({ XDG_DATA_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
	const given = XDG_DATA_HOME || LOCALAPPDATA;
	if (given) return join(given, 'tollgate');
	try {
		return join(homedir(), '.local/share/tollgate');
	} catch {
		return '.tollgate';
	}
}

/** Prints what authors should know of lesson files where there is no server. */
function warnOf(lessons: readonly string[]): void {
	for (const warning of siteWarnings(readLessonFiles(lessons, process.cwd(), '--lesson'))) console.warn(warning);
}
