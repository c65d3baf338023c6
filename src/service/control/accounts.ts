import { answerJson } from '../responses.ts';
import { hashPassword } from '../authorization/passwords.ts';
import { base64url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { endGrant } from '../token/tokens.ts';
import { control } from './control-endpoint.ts';
import { newAccount } from './schemas.ts';

/** `GET accounts`: the names of all people, in the order in which they were made. */
export const list = control(async (call) => {
	const accounts = await call.sandbox.area.list('account');
	return { accounts: accounts.map(([username]) => ({ username })) };
});

/** `POST accounts`: makes an account. A name that is taken is `conflict`, and its password stays. */
export const create = control(async (call) => {
	const { username, password } = call.read(newAccount);
	const salt = base64url(call.options.random(12));
	const stored = { username, salt, password: await hashPassword(call, call.secret(password), salt) };
	const account = await call.sandbox.area.update('account', username, (now) => now ?? stored);
	if (account !== stored) throw new ProtocolError('conflict', 'There is an account of this name already.');
	return answerJson(call, 201, { username });
});

/** `DELETE accounts/<username>`: deletes an account, ends its grants and signs it out everywhere. */
export const remove = control(async (call) => {
	const username = call.segments[1] ?? '';
	if ((await call.sandbox.area.delete('account', username)) === undefined) {
		throw new ProtocolError('not_found', 'There is no account of this name.');
	}
	for (const [, grant] of await call.sandbox.area.list('grant')) {
		if (grant.username === username) await endGrant(call, username, grant.client_id, grant.id);
	}
	// Nobody stays signed in as whoever takes this name next.
	for (const [id, session] of await call.sandbox.area.list('session')) {
		if (session.username === username) await call.sandbox.area.delete('session', id);
	}
	return { deleted: username };
});
