import type * as v from 'valibot';
import type { ClassChange, createdReader, newNotice } from '#api/control/classes.ts';
import type { Notice } from '#api/control/seats.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { newFleet, startWave } from '../class/class-fleet.ts';
import { unknownClass } from '../class/class-errors.ts';
import { base64url } from '../core/encoding.ts';
import type { ClassRecord } from '../sandbox/class-records.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import type { ControlContext } from './control-endpoint.ts';
import { removeSeat } from './join-class.ts';

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
