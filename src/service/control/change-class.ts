import type * as v from 'valibot';
import type { ClassChange, createdReader, newNotice } from '#api/control/classes.ts';
import { type changedSeat, type JoinedSeat, maxSeats, type Notice, type SeatChange } from '#api/control/seats.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { newFleet, noFleet, startWave, withChoice } from '../class/class-views.ts';
import { type Classes } from '../class/classes.ts';
import { classIsFull, unknownClass } from '../class/class-errors.ts';
import { base64url } from '../core/encoding.ts';
import type { ClassRecord } from '../sandbox/class-records.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import type { ControlContext } from './control-endpoint.ts';
import { countText } from '#lib/count-text.ts';
import { denied, findClass, rightsAt } from '../class/class-access.ts';
import { type EarlierWork, renamed, withHand, withProgram, withProgress, withRemarks } from '../class/seats.ts';
import { mergeSpans } from '../class/work-time.ts';
import { ProtocolError } from '../core/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { ownerLinkOf } from './sandboxes.ts';
import type { ReadPreset } from '#api/control/preset.ts';
import { requireSameOrigin, setCookie } from '../access/cookies.ts';
import { labelOf } from '../class/labels.ts';
import { applyPreset } from './prepare-sandbox.ts';

/**
 * `PATCH classes/<code>`.
 * @throws ProtocolError `not_found` if the class has ended
 */
export async function changeClass(
	context: ControlContext,
	registry: SandboxRegistry,
	code: string,
	{ is_locked, paused, lessons, hours, groups, timer, fleet }: ClassChange
): Promise<ClassRecord> {
	const { classes } = context;
	const { random, now: clock } = context.options;
	const now = clock();
	const expires = hours === undefined ? undefined : classes.endAfter(hours);
	const record = await classes.change(code, ({ pausedUntil, timer: running, fleet: before, ...record }) => {
		const until = paused === undefined ? pausedUntil : paused ? classes.endOfPause : undefined;
		const timed = timer === undefined ? running : timer === 0 ? undefined : timerOf(running, now, timer);
		const opened = fleet === undefined ? before : fleet ? newFleet(random, now) : undefined;
		return {
			...record,
			...(opened === undefined ? {} : { fleet: opened }),
			...(is_locked === undefined ? {} : { isLocked: is_locked }),
			...(until === undefined ? {} : { pausedUntil: until }),
			...(timed === undefined ? {} : { timer: timed }),
			...(lessons === undefined ? {} : { lessons }),
			...(groups === undefined ? {} : { groups }),
			...(expires === undefined ? {} : { expires })
		};
	});
	if (record === undefined) throw unknownClass();
	if (expires !== undefined) {
		await classes.lessons.extend(code, expires);
		for (const [number, { sandbox }] of await classes.seats(code)) {
			await classes.changeSeat(code, number, (seat) => ({ ...seat, expires }));
			await registry.extend(sandbox, expires);
		}
	}
	await announce(context, registry, code);
	return record;
}

/** `POST waves`. */
export async function beginWave(
	context: ControlContext,
	registry: SandboxRegistry,
	code: string,
	number: number
): Promise<ClassRecord> {
	if (await startWave(context.classes, code, number)) await announce(context, registry, code);
	const record = await context.classes.find(code);
	if (record === undefined) throw unknownClass();
	return record;
}

/** A timer that is running keeps its beginning. */
function timerOf(running: ClassRecord['timer'], now: number, seconds: number): NonNullable<ClassRecord['timer']> {
	const from = running !== undefined && running.until > now ? running.from : now;
	return { from, until: now + seconds * 1000 };
}

/** `POST readers`: a key that only reads the board, in place of the one before. */
export async function createReader(
	context: ControlContext,
	code: string
): Promise<v.InferOutput<typeof createdReader>> {
	const { classes, options } = context;
	const key = context.redact(base64url(options.random(32)));
	await classes.change(code, (record) => ({ ...record, readerKey: options.digest(key) }));
	return { board_url: boardUrl(options.origin, code, key) };
}

/** A link to the board. Browsers don't send the fragment to servers. */
export function boardUrl(origin: string, code: string, key: string): string {
	return `${origin}/class/${code}#class=${key}`;
}

/** The class first, so that no further students join. */
export async function endClass({ classes }: ControlContext, registry: SandboxRegistry, code: string): Promise<void> {
	await classes.end(code);
	for (const [number, { sandbox }] of await classes.seats(code))
		await removeSeat(classes, registry, code, number, sandbox);
}

/** `POST notices`. */
export async function sendNotice(
	context: ControlContext,
	registry: SandboxRegistry,
	code: string,
	{ text, link, seats }: v.InferOutput<typeof newNotice>
): Promise<Notice> {
	const { classes, options } = context;
	const notice: Notice = {
		id: base64url(options.random(9)),
		at: options.now(),
		text: sanitizeText(text, 200),
		...(link === undefined ? {} : { link }),
		...(seats === undefined ? {} : { seats })
	};
	await classes.addNotice(code, notice);
	await announce(context, registry, code, seats);
	return notice;
}

/**
 * Tells the open pages of seats that their class has something new.
 * @param only the numbers of seats; absent: all
 */
export async function announce(
	{ classes }: ControlContext,
	registry: SandboxRegistry,
	code: string,
	only?: readonly number[]
): Promise<void> {
	for (const [number, { sandbox }] of await classes.seats(code))
		if (only?.includes(number) !== false) (await registry.find(sandbox))?.traffic.announce('notice');
}

/** `PATCH seats/<seat>`, by the key of the seat or of the class. */
export async function changeSeat(
	context: ControlContext,
	registry: SandboxRegistry,
	path: { readonly code: string; readonly seat: string },
	body: SeatChange
): Promise<v.InferOutput<typeof changedSeat>> {
	const { classes, options } = context;
	const { code, record } = await findClass(context, path.code);
	const number = seatNumber(path.seat);
	const seat = await classes.seat(code, number);
	const sandbox = seat && (await registry.find(seat.sandbox));
	const rights = await rightsAt(context, code, record, sandbox);
	if (!rights.isInstructor && !rights.isSeat) throw denied(context, 'This request needs the key of the seat.');
	if (seat === undefined || sandbox === undefined) throw unknownSeat();
	const { label, progress, hand, presence, program, policy, released, group, note, helped } = body;
	const isOfInstructor = released === true || group !== undefined || note !== undefined || helped !== undefined;
	if (isOfInstructor && !rights.isInstructor)
		throw denied(context, 'Only the instructor can change that. This request needs the key of the class.');
	const isOfSeat = hand === true || [label, progress, presence, program, policy].some((sent) => sent !== undefined);
	if (isOfSeat && !rights.isSeat) throw denied(context, 'This request needs the key of the seat.');
	if (policy !== undefined && record.fleet === undefined) throw noFleet('Your instructor opens it.');
	const now = options.now();
	if (isOfSeat) limitReports(classes, `${code} ${number}`, now);
	if (program !== undefined)
		await classes.programs.show(code, number, program && { ...program, shown: now, expires: record.expires });
	const changed = await classes.changeSeat(code, number, (stored) => {
		const reported = progress === undefined ? stored : withProgress(stored, progress, now);
		const chosen = withChoice(withRemarks(reported, { group, note, helped }, now), record, policy);
		return {
			...withHand(withProgram(chosen, program, now), hand, now),
			...(isOfSeat ? { presence: now } : {}),
			// An open page alone is no sign of work.
			...(isOfSeat && presence !== true ? { spans: mergeSpans(stored.spans ?? [], [[now, now]]) } : {}),
			...(label === true ? renamed(stored, record.firstLabel, number) : {})
		};
	});
	if (changed === undefined) throw unknownClass();
	const link = released === true ? await release(context, sandbox) : undefined;
	if (hand !== undefined || label === true || group !== undefined) sandbox.traffic.announce('notice');
	return {
		seat: number,
		label: changed.label,
		hand: changed.hand === undefined ? null : { since: changed.hand },
		...(link === undefined ? {} : { link })
	};
}

/** @throws ProtocolError `too_many_attempts` */
function limitReports({ reports }: Classes, seat: string, now: number): void {
	const wait = Math.ceil(reports.count(seat, now) / 1000);
	if (wait === 0) return;
	throw new ProtocolError('too_many_attempts', `This seat sent too many changes. Wait ${countText(wait, 'second')}.`, {
		headers: ['Retry-After', String(wait)]
	});
}

/** The number of a seat. 0 for a text that is none. */
export function seatNumber(text: string): number {
	return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
}

/** The error for a number that no seat has. */
export function unknownSeat(): ProtocolError {
	return new ProtocolError('not_found', 'The class has no such seat.');
}

/** Gives a seat a new key, and ends all others. Returns the link with it. */
async function release(context: ControlContext, sandbox: Sandbox): Promise<string> {
	const key = context.redact(base64url(context.options.random(32)));
	await sandbox.updateState((state) => ({ ...state, key: context.options.digest(key), ownerKeys: [] }));
	sandbox.traffic.announce('revoked');
	return ownerLinkOf(sandbox, key);
}

/** The application of a seat that its student writes, unless the preset has some. */
const studentApplication = {
	client_id: 'my-client',
	name: 'My client',
	kind: 'web',
	redirect_uris: [3000, 5173, 8000, 8080].map((port) => `http://localhost:${port}/callback`)
} as const;
/** `POST seats`: a sandbox with the preset of the class. */
export async function join(
	context: ControlContext,
	registry: SandboxRegistry,
	sent: string,
	earlier?: EarlierWork
): Promise<JoinedSeat> {
	// A page of another site must not take seats, or put its own into this browser.
	requireSameOrigin(context);
	const { code, record } = await findClass(context, sent);
	const { classes, options } = context;
	const { seats, expires, firstLabel, preset } = record;
	const changes = options.store.durableChanges();
	const seat = (await classes.takeSeat(code)) ?? (await takeUnusedSeat(context, registry, code));
	if (seat === undefined) throw classIsFull(record);
	const key = context.redact(base64url(options.random(32)));
	let sandbox: Sandbox | undefined;
	try {
		sandbox = await registry.createSeat(options.digest(key), { code, number: seat, seats }, expires);
		const applications = await applyPreset(context, sandbox, withApplication(preset));
		const label = labelOf(firstLabel, seat, 0, maxSeats);
		// A seat that is not on the disk is none: without a response, its student has no key.
		await options.store.settled(changes);
		await classes.finishSeat(code, seat, sandbox.id, label);
		const { base_url } = sandbox;
		if (earlier !== undefined) await classes.changeSeat(code, seat, (stored) => ({ ...stored, ...earlier }));
		if ((await classes.find(code)) === undefined) throw unknownClass();
		setCookie(context, sandbox.id, 'owner', key);
		return { seat, label, base_url, key, applications };
	} catch (fault) {
		await classes.deleteSeat(code, seat);
		if (sandbox !== undefined) await registry.remove(sandbox.id);
		throw fault;
	}
}

/** Gives the number of a seat that its student never used to the next one, so that one visitor cannot take all. */
async function takeUnusedSeat(
	{ classes }: ControlContext,
	registry: SandboxRegistry,
	code: string
): Promise<number | undefined> {
	const unused = await classes.findUnused(code);
	if (unused === undefined) return undefined;
	const [number, { sandbox }] = unused;
	await removeSeat(classes, registry, code, number, sandbox);
	return classes.takeSeat(code);
}

function withApplication(preset: ReadPreset = { format: 'tollgate-preset', version: 1 }): ReadPreset {
	const { applications = [] } = preset;
	if (applications.length > 0) return preset;
	return { ...preset, applications: [{ ...studentApplication, redirect_uris: [...studentApplication.redirect_uris] }] };
}

/** Deletes a seat with its sandbox. */
export async function removeSeat(
	classes: Classes,
	registry: SandboxRegistry,
	code: string,
	number: number,
	sandbox: string
): Promise<void> {
	await registry.remove(sandbox);
	await classes.deleteSeat(code, number);
}
