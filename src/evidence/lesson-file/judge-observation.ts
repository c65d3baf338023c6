import type { TrafficEntry } from '#api/control/traffic.ts';
import type { CredentialHistory } from '../credential-history.ts';
import {
	algorithmOf,
	authorizationRequestOf,
	checkOf,
	endedGrants,
	exchangedCode,
	failedAt,
	isResourceRequest,
	isTokenRequest,
	issued,
	issuedCode,
	parameter,
	passed,
	readCharacter,
	refreshed,
	refreshedAfterExpiry,
	succeeded
} from '../exchanges.ts';
import { parseObject, textOf } from '../har/json-fields.ts';
import { decodeBase64 } from '../har/jwt-claims.ts';
import { rateLimitOf } from '../rate-limit-headers.ts';
import type { Rule } from '../rule.ts';
import { buildRun } from '../run.ts';
import {
	accessOf,
	codeOf,
	countsAs,
	coversThat,
	fits,
	hasRedirect,
	hasScopes,
	isNarrower,
	isRejectedBy,
	passesAll
} from './judge-fields.ts';
import type { Observation } from './observations.ts';

/** What came before an exchange. */
export type Earlier = {
	/** The exchanges of the attempt before it, oldest first. */
	readonly before: readonly TrafficEntry[];
	/** Those of them that belong to the open step. */
	readonly since: readonly TrafficEntry[];
};

/** Whether an exchange shows something, or the exchanges that show it together with this one. */
type ShownBy = boolean | readonly TrafficEntry[];

/**
 * Whether an exchange shows what a lesson file names, apart from `same`.
 * @param rules of the exam, for `rule_passed`
 */
export function showsObservation(
	observation: Observation,
	entry: TrafficEntry,
	{ before, since }: Earlier,
	rules: readonly Rule[]
): ShownBy {
	switch (observation.kind) {
		case 'code_issued':
			return issuedCode(entry) && isCode(observation, entry, before);
		case 'consent_denied':
			return entry.endpoint === 'auth' && /(?:^|&)decision=deny(?:&|$)/.test(entry.request.body);
		case 'code_exchanged':
			return exchangedCode(entry) && passesAll(observation.passed, entry) && isExchange(observation, entry, before);
		case 'code_replayed':
			return replayed(entry, before);
		case 'refresh_token_issued':
			return issued(entry, 'refresh_token') !== undefined;
		case 'token_refreshed':
			return refreshed(entry) && fits(observation.after_expiry, isAfterExpiry(entry, before));
		case 'token_request':
			return (
				isTokenRequest(entry, observation.grant === 'code' ? 'authorization_code' : 'refresh_token') &&
				fits(observation.pkce, hasVerifier(entry)) &&
				hasRedirect(observation.redirect, entry)
			);
		case 'token_issued':
			return (
				isTokenRequest(entry, grantTypes[observation.grant]) &&
				issued(entry, 'access_token') !== undefined &&
				passesAll(observation.passed, entry) &&
				fits(observation.narrower, isNarrower(entry, before))
			);
		case 'device_allowed':
			return passed(entry, 'device.decided') && entry.grant !== undefined;
		case 'token_rejected':
			return isTokenRejected(observation, entry);
		case 'access_revoked':
			return endedGrants(entry).length > 0 && isRevokedBy(observation.by, entry);
		case 'resource_read':
			return (
				isResourceRequest(entry) &&
				entry.response?.status === 200 &&
				(observation.resource ?? entry.endpoint) === entry.endpoint &&
				(observation.token_in === undefined || (observation.token_in === 'query') === isTokenInQuery(entry)) &&
				passesAll(observation.passed, entry) &&
				fits(observation.remaining, rateLimitOf(entry)?.remaining) &&
				countsAs(observation, entry, before)
			);
		case 'requests_accepted':
			return acceptedRun(observation, entry, since);
		case 'limit_exceeded':
			return (
				failedAt(entry, 'rate_limit.not_exceeded') &&
				(observation.resource ?? entry.endpoint) === entry.endpoint &&
				countsAs(observation, entry, before) &&
				fits(observation.has_left, (rateLimitOf(entry)?.remaining ?? 0) > 0) &&
				(observation.algorithm === undefined || observation.algorithm === algorithmOf(entry))
			);
		case 'check_passed':
			return passesAll(observation.checks, entry) && fits(observation.error, errorOf(entry));
		case 'check_failed':
			return isRejectedBy(observation, entry);
		case 'error_seen':
			return isRejection(observation, entry);
		case 'error_overcome':
			return overcome(observation, entry, since);
		case 'redirect_uri_rejected':
			return failedAt(entry, 'auth.redirect_uri_registered') || failedAt(entry, 'token.redirect_uri_matches');
		case 'blacklisted':
			return checkOf(entry, 'rate_limit.not_exceeded')?.cause === 'now_blacklisted';
		case 'no_response':
			// A fault can leave a request without a response too.
			return entry.response === null && entry.trace.at(-1)?.id === 'address.not_blacklisted';
		case 'status_read':
			return entry.endpoint === 'ratelimiting' && entry.response?.status === 200;
		case 'ticket_filed':
			return ticketOf(entry) === '';
		case 'ticket_decided':
			return (
				(ticketOf(entry) ?? '') !== '' && new RegExp(`"decision": ?"${observation.decision}"`).test(entry.request.body)
			);
		case 'rule_passed':
			return passes(observation.rule, entry, before, rules);
	}
}

type Of<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>;

const grantTypes = {
	client_credentials: 'client_credentials',
	device_code: 'urn:ietf:params:oauth:grant-type:device_code',
	token_exchange: 'urn:ietf:params:oauth:grant-type:token-exchange'
} as const;

const hasVerifier = (entry: TrafficEntry) => (parameter(entry, 'code_verifier') ?? '') !== '';

function isCode(wanted: Of<'code_issued'>, entry: TrafficEntry, before: readonly TrafficEntry[]): boolean {
	const { pkce, asked, scope, covers, redirect } = wanted;
	const request = authorizationRequestOf([...before, entry], entry) ?? entry;
	const scopes = issued(entry, 'code')?.scopes;
	return (
		fits(pkce, parameter(request, 'code_challenge') !== undefined) &&
		fits(asked, passed(entry, 'interaction.decided_by_prompted_user')) &&
		(scope === undefined || scopes?.includes(scope) === true) &&
		hasScopes(wanted, scopes) &&
		hasRedirect(redirect, request) &&
		coversThat(covers, entry, before)
	);
}

/** The exchange that issued the code shows what it covers, too. */
function isExchange(wanted: Of<'code_exchanged'>, entry: TrafficEntry, before: readonly TrafficEntry[]): ShownBy {
	const { pkce, refresh_token, access, covers, redirect } = wanted;
	const isWanted =
		fits(pkce, hasVerifier(entry)) &&
		fits(refresh_token, issued(entry, 'refresh_token') !== undefined) &&
		(access === undefined || access === accessOf(entry, before)) &&
		hasScopes(wanted, issued(entry, 'access_token')?.scopes) &&
		hasRedirect(redirect, entry);
	if (!isWanted || covers === undefined) return isWanted;
	const code = codeOf(entry, before);
	return code !== undefined && coversThat(covers, code, before) && [code];
}

/** A second use of a code that ended its tokens. Access that was revoked before does not count. The first use shows it, too. */
function replayed(entry: TrafficEntry, before: readonly TrafficEntry[]): ShownBy {
	const family = entry.credentials.find((event) => event.type === 'ended' && event.reason === 'replayed')?.id;
	const first = before.find((one) => exchangedCode(one) && issued(one, 'access_token')?.family === family);
	if (family === undefined || first === undefined) return false;
	const { grant = '' } = issued(first, 'access_token') ?? {};
	return !before.some((one) => endedGrants(one).includes(grant)) && [first];
}

const isAfterExpiry = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	entry.grant !== undefined && refreshedAfterExpiry([...before, entry], entry.grant).includes(entry);

/** An expired access token is unknown, and a revoked one is known. Refresh tokens do not expire. */
function isTokenRejected({ token, reason }: Of<'token_rejected'>, entry: TrafficEntry): boolean {
	const isAccess = isResourceRequest(entry);
	if (token !== undefined && (token === 'access_token') !== isAccess) return false;
	const isUnknown = failedAt(entry, isAccess ? 'access_token.known' : 'token.refresh_token_known');
	const isRevoked = failedAt(entry, isAccess ? 'access_token.not_revoked' : 'token.refresh_token_active');
	if (reason === 'unknown') return isUnknown && isAccess;
	return isRevoked || (isUnknown && (reason === undefined || !isAccess));
}

function isRevokedBy(by: Of<'access_revoked'>['by'], { endpoint }: TrafficEntry): boolean {
	return by === undefined || endpoint === (by === 'application' ? 'revoke' : 'account');
}

const isTokenInQuery = ({ request }: TrafficEntry) => /[?&]access_token=/.test(request.target);

/** The last character requests of an address in this step: as many accepted ones as wanted, with few rejected ones between them. */
function acceptedRun(
	{ count, rejected = 0, windows = 1 }: Of<'requests_accepted'>,
	entry: TrafficEntry,
	since: readonly TrafficEntry[]
): ShownBy {
	if (!readCharacter(entry)) return false;
	const own = since.filter(({ endpoint, address }) => endpoint === 'character' && address === entry.address);
	let left = count - 1;
	const start = left === 0 ? own.length : own.findLastIndex((one) => readCharacter(one) && --left === 0);
	const run = own.slice(start);
	const resets = new Set([...run, entry].map((one) => rateLimitOf(one)?.reset));
	if (start < 0 || resets.size < windows) return false;
	return run.filter((one) => !readCharacter(one)).length <= rejected && run;
}

function isRejection(
	{ error, status, endpoint }: Of<'error_seen'> | Of<'error_overcome'>,
	entry: TrafficEntry
): boolean {
	const { response } = entry;
	if (response === null || response.status < 300) return false;
	return (
		(status === undefined || response.status === status) &&
		(endpoint === undefined || entry.endpoint === endpoint) &&
		(error === undefined || errorOf(entry) === error)
	);
}

/** The error code of a response: in its body, or in the redirect to the application. */
function errorOf({ response }: TrafficEntry): string | undefined {
	const location = response?.headers.find(([header]) => header.toLowerCase() === 'location')?.[1] ?? '';
	return (/"error": ?"([^"]+)"/.exec(response?.body ?? '') ?? /[?&#]error=([^&#]+)/.exec(location))?.[1];
}

/** The first success of the same application at the endpoint where it got the error in this step. */
function overcome(wanted: Of<'error_overcome'>, entry: TrafficEntry, since: readonly TrafficEntry[]): ShownBy {
	if (!succeeded(entry)) return false;
	const error = since.findLast(
		(one) =>
			one.endpoint === entry.endpoint &&
			(one.client_id ?? entry.client_id) === entry.client_id &&
			isRejection(wanted, one)
	);
	return error !== undefined && [error];
}

/** A successful request to the support tickets: the id of the ticket that it decides, or empty for one that files it. */
function ticketOf(entry: TrafficEntry): string | undefined {
	if (entry.endpoint !== 'control' || entry.request.method !== 'POST' || !succeeded(entry)) return undefined;
	const [path, id = ''] = /\/control\/tickets(?:\/([^/?]+))?$/.exec(entry.request.target) ?? [];
	return path === undefined ? undefined : id;
}

/** The ids of tickets that an exchange filed or decided. */
function ticketIds(entry: TrafficEntry): string[] {
	const decided = ticketOf(entry);
	if (decided === undefined) return [];
	const id = decided === '' ? /"id": ?"([^"]+)"/.exec(entry.response?.body ?? '')?.[1] : decided;
	return id === undefined ? [] : [id];
}

/** Whether a rule of the exam passes, by what the application of this exchange has done so far. */
function passes(id: string, entry: TrafficEntry, before: readonly TrafficEntry[], rules: readonly Rule[]): ShownBy {
	const rule = rules.find((one) => one.id === id);
	if (rule === undefined) return false;
	const own = [...before, entry].filter(({ client_id }) => client_id === undefined || client_id === entry.client_id);
	const { verdict, requests } = rule.judge(buildRun(own));
	return verdict === 'passed' && requests.length > 0 && before.filter((one) => requests.includes(one.id));
}

/**
 * What an exchange has in common with others, by relation.
 * @param history of the exchanges before: an unknown token belongs to the grant that it was issued under
 * @param isEarlier whether it showed the earlier condition
 */
export function keysOf(
	entry: TrafficEntry,
	relation: keyof NonNullable<Observation['same']>,
	history: CredentialHistory,
	isEarlier: boolean
): readonly string[] {
	const defined = (...values: readonly (string | undefined)[]) => values.filter((value) => value !== undefined);
	switch (relation) {
		case 'flow':
			return defined(entry.flow);
		case 'client':
			return defined(entry.client_id ?? parameter(entry, 'client_id'));
		case 'address':
			return [entry.address];
		case 'grant':
			return [
				...defined(entry.grant, ...entry.values.map(({ id }) => history.issueOf(id)?.event.grant)),
				...entry.credentials.flatMap((event) => (event.type === 'issued' ? [event.grant] : [])),
				...endedGrants(entry)
			];
		case 'family':
			return [
				...defined(entry.family),
				...entry.credentials.flatMap((event) =>
					event.type === 'issued'
						? defined(event.family)
						: event.type === 'ended' && event.kind === 'family'
							? [event.id]
							: []
				)
			];
		case 'token':
			return [...entry.values.map(({ id }) => id), ...entry.credentials.map(({ id }) => id)].filter(
				(id) => history.issueOf(id) !== undefined
			);
		case 'issued':
			return isEarlier
				? entry.credentials.flatMap((event) => (event.type === 'issued' ? [event.id] : []))
				: entry.values.map(({ id }) => id);
		case 'scope':
			// The log of a rejected exchange does not name the token, but what it allowed.
			return isEarlier
				? defined(issued(entry, 'access_token')?.scopes.join(' '))
				: defined(checkOf(entry, 'token.scope_narrowed')?.expected);
		case 'key':
			return defined(keyOfAssertion(entry));
		case 'ticket':
			return ticketIds(entry);
	}
}

/** The algorithm and the id of the key that an assertion names (RFC 7515, sections 4.1.1 and 4.1.4). The log keeps its header. */
function keyOfAssertion(entry: TrafficEntry): string | undefined {
	if (!passed(entry, 'client_assertion.readable')) return undefined;
	const [sent = ''] = (parameter(entry, 'client_assertion') ?? '').split('.');
	const header = parseObject(decodeBase64(sent) ?? '');
	return JSON.stringify([textOf(header, 'alg'), textOf(header, 'kid')]);
}
