import type { Context } from '../core/context.ts';
import { apiOfProvider, issuerOfProvider, partsOfUrl } from './provider-urls.ts';
import type { Values } from './templates.ts';

/** What templates may name of the user, the application, the URL and the time. By default those of the request. */
export function userValues(context: Context, username = context.username, client_id = context.client_id): Values {
	const { sandbox, options, id, flow } = context;
	const { accounts } = sandbox.seed.world;
	const at = accounts.findIndex((account) => account.username === username);
	const account = accounts[at];
	const now = sandbox.now();
	const keyOf = (kind: string, name: string | undefined) =>
		name &&
		options
			.digest(`${kind} ${name}`)
			.replace(/[^A-Za-z0-9]/g, 'x')
			.slice(0, 10);
	return {
		username,
		client_id,
		user_name: account?.name ?? username,
		user_email: account?.email,
		// Providers have numbers and random ids. Each user keeps the same one.
		user_number: username === undefined ? undefined : 1_000_001 + Math.max(0, at),
		user_key: keyOf('user', username),
		client_key: keyOf('client', client_id),
		session_key: keyOf('session', flow),
		...partsOfUrl(context),
		issuer: issuerOfProvider(context),
		api_url: apiOfProvider(context),
		base_url: sandbox.base_url,
		request_id: id,
		now_seconds: Math.floor(now / 1000),
		now_milliseconds: String(now),
		now_text: `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}Z`
	};
}
