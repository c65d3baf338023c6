import type { Context } from '../core/context.ts';
import { cookieName, readCookie, requireSameOrigin } from './cookies.ts';
import { timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { rootSandbox } from '../core/target.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** How a caller may prove that a sandbox is theirs to control. */
export type ControlAccess = 'admin key' | 'sandbox key' | 'owner cookie' | 'class key' | 'loopback only';

/**
 * The right by which a call controls its sandbox, or undefined. A key comes in `X-Tollgate-Key` (or is given); a cookie
 * counts only for requests of our own pages. A root sandbox without admin key is open: the host binds it to loopback.
 * Many wrong keys are rejected with 429. The correct key is always accepted (see `recordFailedAttempt`).
 * @param key in place of the header
 * @throws ProtocolError `too_many_attempts`, and `forbidden` for another site's request
 */
export async function findAccess(
	context: Context,
	key = context.header('x-tollgate-key')
): Promise<ControlAccess | undefined> {
	const { options, sandbox } = context;
	if (key !== undefined) {
		const digest = options.digest(context.redact(key.slice(0, 512)));
		if (options.adminKey !== undefined && timingSafeEqual(digest, options.digest(options.adminKey))) return 'admin key';
		if (isOwnerKey(sandbox, digest)) return 'sandbox key';
		if (await isClassKey(context, digest)) return 'class key';
		await recordFailedAttempt(context, 'sandbox_key');
		return undefined;
	}
	requireSameOrigin(context);
	const cookie = readCookie(context, cookieName(context, 'owner'));
	const owner = cookie === undefined ? undefined : options.digest(context.redact(cookie));
	if (owner !== undefined && isOwnerKey(sandbox, owner)) return 'owner cookie';
	// An instructor has one cookie for all seats.
	const ofClass = sandbox.seat && readCookie(context, cookieName(context, 'class', sandbox.seat.code));
	const isInstructor = ofClass !== undefined && (await isClassKey(context, options.digest(context.redact(ofClass))));
	if (isInstructor) return 'class key';
	return sandbox.id === rootSandbox && options.adminKey === undefined ? 'loopback only' : undefined;
}

/** Whether a digest is that of the key of the class that the sandbox is a seat of. */
async function isClassKey({ classService, sandbox }: Context, digest: string): Promise<boolean> {
	return (await classService?.classes.isKeyOf(sandbox.seat, digest)) === true;
}

/** Whether a digest is that of a key of the sandbox. */
export function isOwnerKey({ state: { key, ownerKeys } }: Sandbox, digest: string): boolean {
	const digests = key === undefined ? ownerKeys : [key, ...ownerKeys];
	return digests.some((known) => timingSafeEqual(digest, known));
}

/** The rejection of a call that may not control the sandbox. */
export function accessDenied(context: Context): ProtocolError {
	const cause = context.header('x-tollgate-key') === undefined ? 'key_missing' : 'key_wrong';
	return new ProtocolError(
		'forbidden',
		'This request needs the key of the sandbox. Send it as X-Tollgate-Key, or use the browser that created the sandbox.',
		{ cause }
	);
}
