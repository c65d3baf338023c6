import { accountsApi } from '#api/control/accounts.ts';
import { hashPassword } from '../authorization/passwords.ts';
import { base64url } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { revokeGrant } from '../token/tokens.ts';
import { listKey } from '../world/validate-world.ts';
import { findTestCard } from '../sandbox/test-cards.ts';
import { isTestCardName } from '../sandbox/test-card-list.ts';
import { implement } from './control-endpoint.ts';

/** The users of the sandbox, without the test cards. */
export const accountsEndpoints = implement(accountsApi, {
	'GET /control/accounts': async ({ sandbox }) => {
		const accounts = await sandbox.store.list('account');
		const grants = countByUser(await sandbox.store.list('grant'));
		const sessions = countByUser(await sandbox.store.list('browser_session'));
		return {
			accounts: accounts.map(([username]) => ({
				username,
				grants: grants.get(username) ?? 0,
				sessions: sessions.get(username) ?? 0
			}))
		};
	},
	'POST /control/accounts': async (context, { body: { username, password } }) => {
		context.redact(password);
		if (isTestCardName('account', username) || (await context.store.get('account', username)) !== undefined)
			throw nameTaken();
		const salt = base64url(context.options.random(12));
		const stored = { username, salt, password: await hashPassword(context, password, salt) };
		const account = await context.store.update('account', username, (now) => now ?? stored);
		if (account !== stored) throw nameTaken();
		return { username };
	},
	'DELETE /control/accounts/{username}': async (context, { path: { username } }) => {
		if (findTestCard(context, 'account', username) !== undefined) {
			throw new ProtocolError('conflict', 'This account is a test card. You can turn test cards off in the settings.');
		}
		if ((await context.store.delete('account', username)) === undefined) {
			throw new ProtocolError('not_found', 'There is no account with this name.');
		}
		for (const [, grant] of await context.store.list('grant')) {
			if (grant.username === username) await revokeGrant(context, username, grant.client_id, grant.id);
		}
		for (const { name } of context.sandbox.seed.world.kinds)
			await context.store.delete('record_list', listKey({ kind: name, owner: username }));
		// Otherwise a new account of this name would be signed in.
		for (const [id, session] of await context.store.list('browser_session')) {
			if (session.username === username) await context.store.delete('browser_session', id);
		}
		return { deleted: username };
	}
});

function nameTaken(): ProtocolError {
	return new ProtocolError('conflict', 'An account with this name already exists.', { field: 'username' });
}

function countByUser(records: readonly (readonly [key: string, record: { readonly username?: string }])[]) {
	const counts = new Map<string, number>();
	for (const [, { username }] of records)
		if (username !== undefined) counts.set(username, (counts.get(username) ?? 0) + 1);
	return counts;
}
