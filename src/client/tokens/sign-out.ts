import type { Endpoints } from '../endpoints.ts';
import type { Journal } from '../events.ts';
import { Problem } from '../problems.ts';
import type { Fetch } from '../wiretap.ts';
import type { Keeper } from './keeper.ts';
import type { Sessions } from './sessions.ts';

/** How a sign-out went. */
export type SignOut =
	/** The service ended the access (section 3.1). */
	| 'revoked'
	/** It had been ended before. */
	| 'already'
	/** No refresh token, and the service revokes by nothing else: the access token lives on until it expires. */
	| 'forgotten';

/** What signing out needs. */
export type SignOutTools = {
	readonly endpoints: Endpoints;
	readonly fetch: Fetch;
	readonly sessions: Sessions;
	readonly keeper: Keeper;
	readonly journal: Journal;
};

/**
 * Signs a person out: ends the access at the service, then forgets the tokens in every tab. Where the service did not
 * answer, the tokens stay, so that it can be tried again.
 * @param id of the session
 * @throws {Problem} `silence`, or the service's refusal (`invalid_client`, `invalid_request`)
 */
export async function signOut(id: string, tools: SignOutTools): Promise<SignOut> {
	const { sessions, keeper, journal } = tools;
	return keeper.alone(id, async () => {
		const session = await sessions.get(id);
		const refresh_token = session?.refresh_token ?? null;
		if (session?.ended === 'access_revoked') {
			await sessions.forget(id);
			return 'already';
		}
		if (session === undefined || refresh_token === null) {
			journal.tell({
				kind: 'noticed',
				what: 'Nothing to revoke: the service revokes by refresh token only',
				section: '4',
				session: id
			});
			await sessions.forget(id);
			return 'forgotten';
		}
		const came = await revoke(refresh_token, session.client_id, tools, id);
		await sessions.forget(id);
		return came;
	});
}

/** `GET …/revoke?token=…&client_id=…`: a plain request with a query string (section 4). */
async function revoke(token: string, client_id: string, tools: SignOutTools, session: string): Promise<SignOut> {
	const query = `token=${encodeURIComponent(token)}&client_id=${encodeURIComponent(client_id)}`;
	const answer = await tools.fetch(`${tools.endpoints.revoke}?${query}`, {
		headers: { accept: 'application/json' },
		session
	});
	if (answer.status === 200) return 'revoked';
	const text = await answer.text();
	if (answer.status === 400 && /"error"\s*:\s*"invalid_token"/.test(text)) return 'already';
	const code = /"error"\s*:\s*"([a-z_]+)"/.exec(text)?.[1];
	throw new Problem(code ?? (answer.status >= 500 ? 'server_error' : 'unreadable'), '', { status: answer.status });
}
