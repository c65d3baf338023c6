import { stripVTControlCharacters } from 'node:util';
import { renderUsage, runCommand, type CommandDef } from 'citty';
import { Problem, problemOf } from '../problems.ts';
import { checkArguments, flagOf, textOf } from './arguments.ts';
import { commandsOf, localService } from './commands.server.ts';
import { checkedBaseUrl, openCompanion, type Companion } from './client.server.ts';
import { exitCodes, exitCodesHelp } from './exit-codes.ts';
import { toCliError } from './error-messages.ts';
import { Terminal } from './terminal.server.ts';
import type { CliEnvironment } from './environment.server.ts';

/** How the program is called. */
const call = 'npm run companion --';

/**
 * Runs one command line.
 * @param words arguments, the command first
 * @param world outside of it
 * @returns the exit code; everything else has been said
 */
export async function runCli(words: readonly string[], world: CliEnvironment): Promise<number> {
	let base_url = world.env.TOLLGATE_URL || localService;
	let ca: string | undefined;
	let companion: Companion | undefined;
	const commands = commandsOf(async (args, redirect_uri) => {
		base_url = checkedBaseUrl(textOf(args, 'base-url') ?? base_url);
		ca = textOf(args, 'ca');
		companion = await openCompanion(base_url, ca, world, redirect_uri);
		return { companion, terminal: new Terminal(world, flagOf(args, 'json')) };
	});
	const main: CommandDef = {
		meta: { name: call, description: 'Pocket Companion, an installed application of the service' },
		subCommands: { ...commands }
	};
	const word = words[0] ?? '';
	const chosen = Object.hasOwn(commands, word) ? commands[word] : undefined;
	const options = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
	const wantsHelp = options.includes('--help') || options.includes('-h');
	if (wantsHelp || words.length === 0) {
		world[wantsHelp ? 'out' : 'err'].write(await helpOf(main, chosen));
		return wantsHelp ? exitCodes.ok : exitCodes.usage;
	}
	try {
		if (word.startsWith('-')) throw new Problem('usage', 'Options stand after the command.');
		if (chosen === undefined) throw new Problem('usage', `There is no command ${word}.`);
		checkArguments(words.slice(1), chosen.args);
		await runCommand(main, { rawArgs: [...words] });
		return exitCodes.ok;
	} catch (thrown) {
		const problem = await explained(problemOf(thrown), companion);
		const service = URL.canParse(base_url) ? base_url : localService;
		const trust = ca === undefined || problem.code === 'ca_unreadable' ? '' : ` --ca ${quoted(ca)}`;
		const suffix = `${service === localService ? '' : ` --base-url ${service}`}${trust}`;
		const failure = toCliError(problem, service, (typed) => `${call} ${typed}${typed.startsWith('-') ? '' : suffix}`);
		new Terminal(world, options.includes('--json')).failure(failure);
		return failure.exitCode;
	}
}

/** A path as a shell takes it for one word. */
function quoted(path: string): string {
	return /^[\w./:~\\-]+$/.test(path) ? path : `"${path}"`;
}

/** Where the service fell silent: the one address that answers even then says whether that is a blacklist (8.5). */
async function explained(problem: Problem, companion: Companion | undefined): Promise<Problem> {
	if (problem.code !== 'silence' || companion === undefined) return problem;
	const { breaker } = companion.client;
	await breaker.probe();
	const { standing } = breaker;
	return standing?.blacklisted === true ? new Problem('blacklisted', standing.reason) : problem;
}

async function helpOf(main: CommandDef, chosen: CommandDef | undefined): Promise<string> {
	const usage = chosen === undefined ? await renderUsage(main) : await renderUsage(chosen, main);
	return `${stripVTControlCharacters(usage)}\n\n${exitCodesHelp}\n`;
}
