/**
 * What the command line says about an error. `{name}` is a value of the moment, `{companion ARGUMENTS}` a
 * command as the user has to type it. `backticks` mark code.
 */
export type CliErrorText = {
	readonly title: string;
	readonly cause: string;
	readonly fix: string;
	/** Absent: 1. */
	readonly exitCode?: number;
};

export const exitCodes = [
	[0, 'success'],
	[1, 'the service rejected the request, or another error'],
	[2, 'invalid command'],
	[3, 'not signed in, or access has ended'],
	[4, 'the user denied access'],
	[5, 'no response from the browser or the service'],
	[6, 'rate limit reached'],
	[130, 'interrupted (Ctrl-C)']
] as const;

/** Errors that only the command line has, or that it describes in its own way. */
export const cliErrors = {
	invalid_command: {
		title: 'Invalid command',
		cause: '{message}',
		fix: 'See {companion --help}',
		exitCode: 2
	},
	plain_http: {
		title: 'http://{host} is not encrypted',
		cause: 'Tokens are only sent over HTTPS (section 4). Nothing was sent.',
		fix: 'Use HTTPS: `--base-url https://{tls_host}`',
		exitCode: 2
	},
	ca_unreadable: {
		title: 'Can’t read the CA certificate',
		cause: '{file} is missing or contains no certificate.',
		fix: 'Use a PEM file.',
		exitCode: 2
	},
	not_signed_in: {
		title: 'Not signed in',
		cause: 'No tokens for {base_url} are stored on this computer.',
		fix: 'Sign in: {companion login}',
		exitCode: 3
	},
	browser_timeout: {
		title: 'No response from the browser',
		cause: 'The sign-in did not finish in time. Nothing was exchanged or stored.',
		fix: 'Try again with more time: {companion login --timeout 900}',
		exitCode: 5
	},
	unreachable: {
		title: 'Can’t connect to {origin}',
		cause: 'The connection failed.',
		fix: 'Start the server with `npm start` or `npx tollgate`, or use another service with `--base-url URL`.',
		exitCode: 5
	},
	untrusted: {
		title: 'The certificate of {origin} is not trusted',
		cause: 'No known CA signed it, so nothing was sent.',
		fix: 'If this is your service, add its CA certificate with `--ca FILE`. The server stores it as `tls/ca.pem` in its data folder.',
		exitCode: 5
	},
	no_tls: {
		title: '{origin} does not use TLS',
		cause: 'The server at this address is not this kind of service.',
		fix: 'Check `--base-url`.',
		exitCode: 5
	},
	blacklisted: {
		title: 'This address is blacklisted',
		cause: 'The service only responds to `/ratelimiting`. It says: {reason}',
		fix: 'File a support ticket: {support_url}',
		exitCode: 5
	},
	credentials_unreadable: {
		title: 'Can’t read the stored tokens',
		cause: '{file} is damaged, or you have no permission to read it.',
		fix: 'Delete the file and sign in again. To revoke the earlier access, open {account_url}'
	},
	credentials_unwritable: {
		title: 'Can’t store the tokens',
		cause: 'Writing to {file} failed: {system_error}.',
		fix: 'Free the path or set `XDG_CONFIG_HOME` to another folder. Then sign in: {companion login}'
	},
	aborted: {
		title: 'Stopped',
		cause: 'You interrupted the command.',
		fix: 'Run it again.',
		exitCode: 130
	},
	not_found: {
		title: 'Character not found',
		cause: 'Names must match exactly.',
		fix: 'Quote names that contain special characters: {companion show "Half/Life"}'
	},
	client_error: {
		title: 'Unexpected error',
		cause: '{message}',
		fix: 'Report it with the command that you ran.'
	}
} as const satisfies Readonly<Record<string, CliErrorText>>;
