import * as v from 'valibot';
import { checks } from '#api/checks.ts';
import { dialects } from '#api/dialect.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Sending, Source, Surprise } from '#api/providers/provider-file.ts';
import { covers, factsOf, providerMistakes } from '#api/providers/provider-mistakes.ts';
import { ownProviderFile, type OwnProviderFile } from '#api/world/provider.ts';
import { lineOf, mistakeOf, readJson, reservedNamesIn } from '#lib/file/read-json.ts';
import { scanJson } from '#lib/file/scan-json.ts';
import { compareDialects, type ComparedDialects } from '../describe-dialect.ts';
import { wholeDialect } from '../provider-files.ts';

/** What is wrong in a line, from 1. */
export type LineMistake = { readonly line: number; readonly reason: string };

/** The text of a file that describes an own API: what it says, or its mistakes in the order of their lines. */
export type ReadOwn =
	| { readonly file: OwnProviderFile; readonly lines: ReadonlyMap<string, number> }
	| { readonly file?: undefined; readonly mistakes: readonly LineMistake[] };

/** How an own API differs from today's standards. */
export type OwnDifference = ComparedDialects & {
	/** Of the file. Undefined: an endpoint is missing. */
	readonly line: number | undefined;
	/** Whether the file says what it means for a client. */
	readonly isExplained: boolean;
};

/** Reads the text of a file that describes an own API, as a world file has it in `provider`. */
export function readOwnFile(text: string): ReadOwn {
	const read = readJson(text);
	if ('reason' in read) return { mistakes: [{ line: Number(/line (\d+)/.exec(read.reason)?.[1] ?? 1), ...read }] };
	const { lines } = scanJson(text);
	const parsed = v.safeParse(ownProviderFile, read.content);
	const found = [
		...read.mistakes,
		...reservedNamesIn(read.content),
		...(parsed.success ? providerMistakes(parsed.output, checks) : parsed.issues.map(mistakeOf))
	];
	if (parsed.success && found.length === 0) return { file: parsed.output, lines };
	const mistakes = found.map(({ place, reason }) => ({
		line: lineOf(lines, place) ?? 1,
		reason: place === '' ? reason : `${place}: ${reason}`
	}));
	return { mistakes: mistakes.sort((one, other) => one.line - other.line) };
}

/** The line of a fact of the dialect, or of the first part of it that the file has. */
export function lineOfFact({ dialect }: OwnProviderFile, lines: ReadonlyMap<string, number>, fact: string) {
	const place = factsOf(dialect).find((one) => covers(fact, one) || covers(one, fact));
	if (place === undefined) return undefined;
	return lines.get(`dialect.${place}`);
}

/** How an own API differs from today's standards. */
export function differencesOf(file: OwnProviderFile, lines: ReadonlyMap<string, number>): OwnDifference[] {
	const { surprises = [] } = file;
	return compareDialects(wholeDialect(file.dialect), dialects.standard)
		.filter(({ differs }) => differs)
		.map((difference) => {
			const [decides = difference.label] = shownBy[difference.label] ?? [];
			return {
				...difference,
				line: lineOfFact(file, lines, decides),
				isExplained: surprises.some(({ fact }) => covers(fact, decides) || covers(decides, fact))
			};
		});
}

/** What decides and shows a difference, by its label: the place in the dialect, the situation, and the check. */
const shownBy: Readonly<Record<string, readonly [fact: string, situation: Sending['situation'], check: string]>> = {
	'Token response': ['tokenResponse.form', 'sign_in', 'provider.token_response'],
	'Fields of the token response': ['tokenResponse.body', 'sign_in', 'provider.token_response'],
	'A used code': ['errors.token', 'used_code', 'provider.error_status'],
	'Fields of an error': ['errors.token.body', 'used_code', 'provider.error_body'],
	'A wrong secret': ['errors.token', 'wrong_secret', 'provider.error_status'],
	'Refresh token': ['refreshFor', 'sign_in', 'provider.refresh_token_due'],
	'After a refresh': ['refresh', 'refresh', 'provider.refresh_token_due'],
	'Access token lives': ['lifetimes.accessToken', 'sign_in', 'provider.token_response'],
	'Code lives': ['lifetimes.code', 'sign_in', 'token.code_not_expired'],
	'Access token looks like': ['tokens.access_token', 'sign_in', 'token.code_exchanged'],
	'Scopes are separated by': ['scopes.separator', 'sign_in', 'provider.token_response'],
	'An unknown scope': ['scopes.unknown', 'authorize', 'auth.scope_is_valid'],
	'Redirect URI': ['redirectUri.match', 'sign_in', 'token.redirect_uri_registered'],
	'Client credentials': ['authentication', 'wrong_secret', 'token.client_authenticated'],
	PKCE: ['pkce', 'sign_in', 'token.code_verifier_matches'],
	'iss in the response': ['iss', 'authorize', 'auth.parameters_are_valid'],
	'Scheme at the API': ['schemes', 'api', 'provider.api_response'],
	'API without a token': ['errors.api', 'no_token', 'provider.error_body'],
	'User-Agent at the API': ['userAgent', 'api', 'provider.user_agent_sent'],
	'Over the limit': ['rateLimit.status', 'over_limit', 'provider.limit_response'],
	'Headers of the limit': ['rateLimit.headers', 'api', 'provider.limit_fields'],
	Revocation: ['revocation', 'revoke', 'provider.revocation_response']
};

/** What is sent to see a difference. */
export function sendingOf({ label }: Pick<OwnDifference, 'label'>): Sending {
	return { situation: shownBy[label]?.[1] ?? 'sign_in' };
}

/**
 * The text of a file with a surprise for a difference, and a source whose URL is to be filled in.
 * @param shown the exchange in which it was seen
 * @param today such as 2026-11-29
 */
export function explainedText(
	file: OwnProviderFile,
	{ label, one, other }: OwnDifference,
	{ trace, response }: Pick<TrafficEntry, 'trace' | 'response'>,
	today: string
): string {
	const [fact = label, , usual = ''] = shownBy[label] ?? [];
	const said = factsOf(file.dialect).find((place) => covers(fact, place)) ?? fact;
	const ids = trace.map(({ id }) => id);
	const decided = ids.findLast((id) => id.startsWith('provider.')) ?? ids.at(-1) ?? usual;
	const title = `${label}: ${one}`;
	const surprise: Surprise = {
		...{ title, why: `Today’s standards: ${other}.`, fact: said, check: ids.includes(usual) ? usual : decided },
		...{ send: sendingOf({ label }), expect: { status: response?.status ?? 200 } }
	};
	const source: Source = { title, url: 'https://', read: today, kind: 'documented', facts: [said] };
	const { sources = [], surprises = [] } = file;
	const next = { ...file, sources: [...sources, source], surprises: [...surprises, surprise] };
	return JSON.stringify(next, undefined, 2);
}
