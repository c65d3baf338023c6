import type { ClassRole } from '#api/control/board.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { isOwnerKey } from '../access/control-access.ts';
import { cookieName, readCookie, requireSameOrigin } from '../access/cookies.ts';
import type { Context } from '../core/context.ts';
import { timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { rootSandbox } from '../core/target.ts';
import type { ClassRecord } from '../sandbox/class-records.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { unknownClass } from './class-errors.ts';

/** By which key a caller changes a seat. */
export type SeatRights = {
	readonly isInstructor: boolean;
	/** By the key of a co-instructor, who only reads the board. */
	readonly isReader: boolean;
	readonly isSeat: boolean;
};

/**
 * Finds a class. Spaces, hyphens and letter case of the code do not matter. Many unknown codes are rejected with 429. A code of an
 * open class is always accepted, because a lock would close the class to everyone behind the address.
 * @throws ProtocolError `not_found`, `too_many_attempts`
 */
export async function findClass(context: Context, sent: string): Promise<{ code: string; record: ClassRecord }> {
	if (context.sandbox.id !== rootSandbox)
		throw new ProtocolError('not_found', 'This request works at the root sandbox only.');
	const code = sent.replace(/[\s-]/g, '').toUpperCase();
	const record = await context.classes.find(code);
	if (record !== undefined) return { code, record };
	await recordFailedAttempt(context, 'class_code');
	if (context.classes.guesses.count('', context.options.now()) > 0)
		throw new ProtocolError('too_many_attempts', 'Too many unknown codes. Wait a second and try again.', {
			headers: ['Retry-After', '1'],
			cause: 'too_many_attempts'
		});
	throw unknownClass();
}

/**
 * Finds a class that the caller controls, by its key, its cookie, or the admin key.
 * @throws ProtocolError `forbidden` without the key, and those of `findClass`
 */
export async function findOwnClass(context: Context, sent: string): Promise<{ code: string; record: ClassRecord }> {
	const found = await findClass(context, sent);
	const { isInstructor } = await rightsAt(context, found.code, found.record);
	if (isInstructor) return found;
	throw denied(context, 'This request needs the key of the class.');
}

/**
 * Finds a class whose board the caller reads.
 * @throws ProtocolError `forbidden` without a key, and those of `findClass`
 */
export async function findReadClass(
	context: Context,
	sent: string
): Promise<{ code: string; record: ClassRecord; role: ClassRole }> {
	const found = await findClass(context, sent);
	const { isInstructor, isReader } = await rightsAt(context, found.code, found.record);
	if (isInstructor || isReader) return { ...found, role: isInstructor ? 'instructor' : 'co_instructor' };
	throw denied(context, 'This request needs the key of the class.');
}

/** Whether the cookie of this browser controls a class. */
export function controls(context: Context, code: string, record: ClassRecord): boolean {
	const cookie = readCookie(context, cookieName(context, 'class', code));
	return cookie !== undefined && timingSafeEqual(context.options.digest(context.redact(cookie)), record.key);
}

/**
 * By which keys the caller may change a seat.
 * @param sandbox of the seat; undefined: only the class counts
 * @throws ProtocolError `too_many_attempts`, and `forbidden` for another site's request
 */
export async function rightsAt(
	context: Context,
	code: string,
	record: ClassRecord,
	sandbox?: Sandbox
): Promise<SeatRights> {
	const { options } = context;
	const digestOf = (secret: string) => options.digest(context.redact(secret.slice(0, 512)));
	const isClassKey = (digest: string) => timingSafeEqual(digest, record.key);
	const isReaderKey = (digest: string) => record.readerKey !== undefined && timingSafeEqual(digest, record.readerKey);
	const isSeatKey = (digest: string) => sandbox !== undefined && isOwnerKey(sandbox, digest);
	const key = context.header('x-tollgate-key');
	if (key !== undefined) {
		const digest = digestOf(key);
		const isAdmin = options.adminKey !== undefined && timingSafeEqual(digest, options.digest(options.adminKey));
		const rights = {
			isInstructor: isAdmin || isClassKey(digest),
			isReader: isReaderKey(digest),
			isSeat: isSeatKey(digest)
		};
		if (!Object.values(rights).includes(true)) await recordFailedAttempt(context, 'sandbox_key');
		return rights;
	}
	requireSameOrigin(context);
	const ofClass = readCookie(context, cookieName(context, 'class', code));
	const ofSeat = sandbox && readCookie(context, cookieName(context, 'owner', sandbox.id));
	return {
		isInstructor: ofClass !== undefined && isClassKey(digestOf(ofClass)),
		isReader: ofClass !== undefined && isReaderKey(digestOf(ofClass)),
		isSeat: ofSeat !== undefined && isSeatKey(digestOf(ofSeat))
	};
}

/** The rejection of a call without the key that it needs. */
export function denied(context: Context, description: string): ProtocolError {
	const cause = context.header('x-tollgate-key') === undefined ? 'key_missing' : 'key_wrong';
	return new ProtocolError(
		'forbidden',
		`${description} Send it as X-Tollgate-Key, or use the browser that got it as a cookie.`,
		{ cause }
	);
}
