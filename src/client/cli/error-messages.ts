import { endpointsOf } from '../endpoints.ts';
import { explain } from '../explanations.ts';
import type { Problem } from '../problems.ts';
import { exitCodeOf } from './exit-codes.ts';

/** Writes a command as the person would type it for this service: `login --scope …`. */
export type Typing = (words: string) => string;

/** A problem as the command line tells it. */
export type CliError = {
	readonly code: string;
	readonly title: string;
	readonly why: string;
	readonly next: string;
	/** Section of the specification; absent where it is no matter of it. */
	readonly section?: string;
	/** What the service said about it. */
	readonly detail?: string;
	readonly status?: number;
	/** When it is worth trying again, in milliseconds by the service's clock. */
	readonly until?: number;
	readonly exitCode: number;
};

/** How a problem is told: [title, why, next]. */
type Words = readonly [title: string, why: string, next: string];

/**
 * What happened, why, and what to type next.
 * @param problem as the client threw it
 * @param base_url of the service
 * @param type how the person would type a command
 */
export function toCliError(problem: Problem, base_url: string, type: Typing): CliError {
	const { message, status, until } = problem;
	const code = codeOf(problem);
	const own = ownWords(problem, code, base_url, type)[code];
	const { title, why, next, section } = explain(problem);
	const words: Words = own ?? [title, why, nextStep(problem, base_url, type, next)];
	return {
		...{ code, title: words[0], why: words[1], next: words[2], exitCode: exitCodeOf(code) },
		...(own === undefined ? { section } : {}),
		...(own === undefined && message !== '' ? { detail: message } : {}),
		...(status === undefined ? {} : { status }),
		...(until === undefined ? {} : { until })
	};
}

/** The problem's code; where there was no answer, by what kept the connection from coming about. */
function codeOf(problem: Problem): string {
	if (!['silence', 'exchange_unknown', 'renewal_later'].includes(problem.code)) return problem.code;
	const said = systemCode(problem.cause);
	if (said === undefined) return problem.code;
	if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(said)) return 'unreachable';
	if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(said)) return 'untrusted';
	return said === 'EPROTO' || said.startsWith('ERR_SSL') ? 'no_tls' : problem.code;
}

function systemCode(cause: unknown): string | undefined {
	if (!(cause instanceof Error)) return undefined;
	if ('code' in cause && typeof cause.code === 'string' && /^[A-Z_]+$/.test(cause.code)) return cause.code;
	// Of a name with two addresses each was tried.
	if (cause instanceof AggregateError) return systemCode(cause.errors[0]);
	return systemCode(cause.cause);
}

/** What only the command line knows, or must say in its own way. */
function ownWords(problem: Problem, code: string, base_url: string, type: Typing): Partial<Record<string, Words>> {
	const { message: detail } = problem;
	const { origin } = new URL(base_url);
	const signIn = `Sign in: ${type('login')}`;
	return {
		not_signed_in: ['Nobody is signed in', `There is no refresh token for ${base_url} on this machine.`, signIn],
		browser_timeout: [
			'No answer from the browser',
			'Nobody has finished the sign-in in time. Nothing was exchanged or stored.',
			`Try again, with more time if need be: ${type('login --timeout 900')}`
		],
		stopped: ['Stopped', 'You stopped it.', 'Nothing was left behind.'],
		unreachable: [
			`Nothing answers at ${origin}`,
			'No connection came about.',
			'Is Tollgate running there? Start it with npm start, or name another service with --base-url URL.'
		],
		untrusted: [
			`The certificate of ${origin} is not trusted`,
			'Nothing was sent: somebody else may be answering there.',
			'If the service is yours, name the authority that signed it: --ca FILE (for Tollgate: tls/ca.pem in its data folder).'
		],
		no_tls: [`${origin} speaks no TLS`, 'Something else than the service answers there.', 'Look at --base-url.'],
		plain_http: [
			`http://${detail} is plain http`,
			'The service is reachable over https only (specification, section 4): on the way anybody could read the tokens. Nothing was sent.',
			`Name its https address: --base-url https://${detail.replace(/^([^/]+):\d+(?=\/|$)/, '$1')}`
		],
		ca_unreadable: [
			'The authority of --ca cannot be read',
			`${detail} is missing, or holds no certificate.`,
			'Name a file in PEM form.'
		],
		shelf_unreadable: [
			'The file with the tokens cannot be read',
			`${detail} is damaged, or somebody else’s.`,
			'Delete it, then sign in again; take the old access away in the account settings of the service.'
		],
		shelf_unwritable: [
			'The tokens cannot be stored',
			`The folder ${detail} cannot be written to: ${obstacleOf(problem)}.`,
			`Make room for it, or name another folder in XDG_CONFIG_HOME. Then sign in: ${type('login')}`
		],
		not_found: [
			'No character of that name',
			'Names count letter by letter, accents and signs included.',
			`Put it in quotes where it has signs: ${type('show "Half/Life"')}`
		],
		blacklisted: [
			'This machine is blacklisted',
			`The service answers nothing but /ratelimiting. It says: ${detail}`,
			`File a support ticket: ${endpointsOf(base_url).support}`
		],
		usage: [detail, 'The command line makes no sense.', `See ${type('--help')}`],
		client_fault: ['The companion has a fault', detail, 'Please report it, with what you typed.']
	};
}

/** Why the file system refused to write. */
function obstacleOf({ cause }: Problem): string {
	const said = systemCode(cause) ?? 'an unknown fault';
	const known: Partial<Record<string, string>> = {
		ENOENT: 'it cannot be made there',
		ENOTDIR: 'a file stands in its way',
		EEXIST: 'a file stands in its way',
		EACCES: 'you have no right to',
		EPERM: 'you have no right to',
		EROFS: 'the disk is read-only',
		ENOSPC: 'the disk is full'
	};
	return known[said] ?? said;
}

/** The step that a page would offer as a button, as something to type. */
function nextStep(problem: Problem, base_url: string, type: Typing, fallback: string): string {
	const { ratelimiting, support } = endpointsOf(base_url);
	switch (explain(problem).offer) {
		case 'sign-in':
			return `Sign in again: ${type('login')}`;
		case 'retry':
			return 'Try again in a moment.';
		case 'wait':
			return problem.until === undefined
				? 'Wait a moment, then try again.'
				: `Try again after ${new Date(problem.until).toISOString().replace(/\.\d+Z$/, 'Z')} by the clock of the service.`;
		case 'settings':
			return 'Is Pocket Companion registered at that service? Look at --base-url.';
		case 'support':
			return `See how you stand at ${ratelimiting}; if you were blacklisted, file a ticket at ${support}.`;
		case 'none':
			return fallback;
	}
}
