import { ClientError, sanitizeLine } from '../oauth/client-error.ts';
import { revokeAndDelete, type RevocationResult } from '../oauth/revocation.ts';
import type { RateLimit } from '../rate-limit/rate-limit-headers.ts';
import { parseCharacter } from '../parse-character.ts';
import { parseRateLimits } from '../parse-rate-limits.ts';
import { characterPath, patterns } from '../service-urls.ts';
import { fetchWorld } from '../world.ts';
import { requireTokens, type CliClient } from './client.server.ts';
import { formatTable } from './terminal.server.ts';

/**
 * Shows a character.
 * @param name as the service spells it
 * @throws {ClientError} `not_signed_in`, `unexpected_response`, and those of `ResourceClient.get`
 */
export async function show(client: CliClient, name: string): Promise<void> {
	const { credentials, resources, terminal, clock, environment } = client;
	const { id, scope } = await requireTokens(credentials);
	const request = { tokenSetId: id, pattern: patterns.character, signal: environment.interrupted };
	const { data, rateLimit, status } = await terminal.withSpinner(`Fetching ${sanitizeLine(name)} …`, () =>
		resources.get(characterPath(name), request)
	);
	// Without the words of the service all fields are still shown.
	const { permissions } = await fetchWorld(client.baseUrl, client.fetch).catch(() => ({ permissions: [] }));
	const character = parseCharacter(data, scope, permissions);
	if (character === undefined) throw new ClientError('unexpected_response', '', { status });
	const rows = character.fields.map(
		(field) => `  ${terminal.style('dim', sanitizeLine(field.name).padEnd(12))} ${sanitizeLine(field.value)}`
	);
	terminal.result(
		{ character: data, rate_limit: rateLimit === undefined ? null : inSeconds(rateLimit) },
		[terminal.style('bold', sanitizeLine(character.name)), ...rows].join('\n')
	);
	if (character.isOtherUsers) {
		terminal.note('This character belongs to another user. Only its public fields are visible.');
	} else if (character.missingPermissions.length > 0) {
		const all = [...scope, ...character.missingPermissions.map((permission) => permission.scope)].join(' ');
		terminal.note(`To see more fields, sign in with: ${client.formatCommand(`login --scope "${all}"`)}`);
	}
	if (rateLimit !== undefined) {
		const { limit, remaining, reset } = rateLimit;
		terminal.note(
			`${String(remaining)} of ${String(limit)} requests left, reset in ${formatDuration(reset - clock.now())}`
		);
	}
}

/**
 * Shows the rate limits. The request counts against its own.
 * @throws {ClientError} as `show`
 */
export async function limits(client: CliClient): Promise<void> {
	const { credentials, resources, terminal, clock, environment } = client;
	const { id } = await requireTokens(credentials);
	const { data } = await terminal.withSpinner('Fetching limits …', () =>
		resources.get(patterns.ratelimits, { tokenSetId: id, signal: environment.interrupted })
	);
	const records = parseRateLimits(data);
	const now = clock.now();
	const rows = records.map(({ pattern, limit, remaining, reset, reset_time }) => [
		sanitizeLine(pattern),
		String(limit),
		String(remaining),
		`in ${formatDuration(reset - now)}`,
		sanitizeLine(reset_time)
	]);
	terminal.result(
		{ ratelimits: records.map(inSeconds) },
		formatTable([['PATTERN', 'LIMIT', 'LEFT', 'RESETS', 'AT'], ...rows])
	);
}

/**
 * Revokes access and deletes the tokens.
 * @throws {ClientError} as `revokeAndDelete`; the tokens stay then
 */
export async function logout({ credentials, tokens, tokenEndpoint, fetch, terminal }: CliClient): Promise<void> {
	let result: RevocationResult | 'not_signed_in' = 'not_signed_in';
	const { client_secret } = tokenEndpoint.client;
	for (const { id } of await credentials.list()) {
		result = await terminal.withSpinner('Revoking access …', () =>
			revokeAndDelete(id, tokens, tokenEndpoint.provider, { fetch, client_secret })
		);
	}
	const deleted = result === 'not_signed_in' ? null : credentials.path;
	terminal.result({ signed_in: false, result, deleted }, logoutMessages[result]);
}

const logoutMessages = {
	revoked: 'Signed out. Access is revoked and the tokens are deleted.',
	already_revoked: 'Signed out. Access was already revoked. The tokens are deleted.',
	not_revocable:
		'The access token is deleted on this computer. It works until it expires, because only a refresh token can be revoked.',
	not_signed_in: 'You were not signed in.'
} as const;

function inSeconds<T extends RateLimit>(rateLimit: T): T {
	return { ...rateLimit, reset: Math.round(rateLimit.reset / 1000) };
}

/** `59 min`, `42 s`. */
function formatDuration(milliseconds: number): string {
	const seconds = Math.max(0, Math.round(milliseconds / 1000));
	return seconds < 100 ? `${String(seconds)} s` : `${String(Math.round(seconds / 60))} min`;
}
