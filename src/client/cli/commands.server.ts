import type { ArgsDef, CommandDef } from 'citty';
import { permissions } from '../permissions.ts';
import { Problem } from '../problems.ts';
import { flagOf, textOf, type Arguments } from './arguments.ts';
import { limits, logout, show } from './handlers.server.ts';
import type { Companion } from './client.server.ts';
import { openListener } from './loopback-listener.server.ts';
import { login, type LoginWishes } from './login.server.ts';
import type { Terminal } from './terminal.server.ts';

/** The service of `npm start`. */
export const localService = 'https://localhost:8443';

/** A command; what it takes is known without asking. */
export type Command = CommandDef & { readonly args: ArgsDef };

/** Opens the companion as the options of a command ask for. */
export type Opening = (
	args: Arguments,
	redirect_uri?: string
) => Promise<{ readonly companion: Companion; readonly terminal: Terminal }>;

const shared: ArgsDef = {
	'base-url': {
		type: 'string',
		valueHint: 'URL',
		description: `The service; else TOLLGATE_URL, else ${localService}`
	},
	ca: {
		type: 'string',
		valueHint: 'FILE',
		description: 'Trust this authority too (PEM); that of the Tollgate in this folder is trusted anyway'
	},
	json: { type: 'boolean', description: 'Nothing but JSON on standard output (with npm run -s)' }
};

const loginOptions: ArgsDef = {
	scope: {
		type: 'string',
		valueHint: 'NAMES',
		default: 'character_read',
		description: `What to ask for: ${permissions.map(({ scope }) => scope).join(', ')}`
	},
	online: { type: 'boolean', description: 'Ask for no refresh token' },
	open: {
		type: 'boolean',
		default: true,
		description: 'Open the browser',
		negativeDescription: 'Only print the address'
	},
	timeout: { type: 'string', valueHint: 'SECONDS', default: '300', description: 'How long to wait for the browser' },
	...shared
};

const showOptions: ArgsDef = {
	name: { type: 'positional', description: 'Its name, such as "Half/Life"', required: true },
	...shared
};

/**
 * The commands, as citty takes them; their words are checked by `checkArguments` before.
 * @param open see `Opening`
 */
export function commandsOf(open: Opening): Readonly<Record<string, Command>> {
	return {
		login: {
			meta: { name: 'login', description: 'Sign in through the browser, for offline access' },
			args: loginOptions,
			run: async ({ args }) => {
				const wishes = wishesOf(args);
				const listener = await openListener();
				try {
					const { companion, terminal } = await open(args, listener.redirect_uri);
					await login(companion, listener, wishes, terminal);
				} finally {
					await listener.close();
				}
			}
		},
		show: {
			meta: { name: 'show', description: 'Show a character' },
			args: showOptions,
			run: async ({ args }) => {
				const { companion, terminal } = await open(args);
				await show(companion, args._.join(' '), terminal);
				await companion.client.memory.rememberClock();
			}
		},
		limits: {
			meta: { name: 'limits', description: 'Show how the rate limits stand' },
			args: shared,
			run: async ({ args }) => {
				const { companion, terminal } = await open(args);
				await limits(companion, terminal);
				await companion.client.memory.rememberClock();
			}
		},
		logout: {
			meta: { name: 'logout', description: 'Take the access back, and delete the tokens' },
			args: shared,
			run: async ({ args }) => {
				const { companion, terminal } = await open(args);
				await logout(companion, terminal);
			}
		}
	};
}

function wishesOf(args: Arguments): LoginWishes {
	const scope = (textOf(args, 'scope') ?? '').split(/[\s,]+/).filter((name) => name !== '');
	if (scope.length === 0) throw new Problem('usage', '--scope takes at least one permission.');
	const seconds = Number(textOf(args, 'timeout'));
	if (!(seconds > 0 && seconds <= 3600)) throw new Problem('usage', '--timeout takes seconds, up to 3600.');
	return {
		scope,
		access_type: flagOf(args, 'online') ? 'online' : 'offline',
		open: flagOf(args, 'open'),
		patience: seconds * 1000
	};
}
