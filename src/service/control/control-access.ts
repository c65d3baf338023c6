import type { Call } from '../context.ts';
import { cookieName, cookieOf } from '../authorization/session-cookie.ts';
import { sameDigest } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { countGuess } from '../checks/attempt-limits.ts';
import { requireSameOrigin } from '../checks/same-origin.ts';
import { rootSandbox } from '../records.ts';

/** How a caller may prove that a sandbox is theirs to control. */
export type Right = 'admin key' | 'sandbox key' | 'owner cookie' | 'nobody else can reach it';

/**
 * The right by which a call controls its sandbox, or undefined. A key comes in `X-Tollgate-Key` (or is given); a cookie
 * counts only for requests of our own pages. A root sandbox without admin key is open: the host binds it to loopback.
 * Who tries many keys is told to wait; the right one is taken all the same (`checks/attempt-limits.ts` says why).
 * @param key in place of the header
 * @throws ProtocolError `too_many_attempts`, and `forbidden` for another site's request
 */
export async function rightOf(call: Call, key = call.header('x-tollgate-key')): Promise<Right | undefined> {
	const { options, sandbox } = call;
	if (key !== undefined) {
		const digest = options.digest(call.secret(key.slice(0, 512)));
		if (options.adminKey !== undefined && sameDigest(digest, options.digest(options.adminKey))) return 'admin key';
		if (sandbox.world.key !== undefined && sameDigest(digest, sandbox.world.key)) return 'sandbox key';
		await countGuess(call, `sandbox ${call.address}`);
		return undefined;
	}
	requireSameOrigin(call);
	const cookie = cookieOf(call, cookieName(call, 'owner'));
	const owner = cookie === undefined ? undefined : options.digest(call.secret(cookie));
	if (owner !== undefined && sandbox.world.key !== undefined && sameDigest(owner, sandbox.world.key))
		return 'owner cookie';
	return sandbox.id === rootSandbox && options.adminKey === undefined ? 'nobody else can reach it' : undefined;
}

/** The refusal of a call that may not control the sandbox. */
export function noRight(): ProtocolError {
	return new ProtocolError(
		'forbidden',
		'Controlling this sandbox needs its key: send it as X-Tollgate-Key, or use its owner’s browser.'
	);
}
