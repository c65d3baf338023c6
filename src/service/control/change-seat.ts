import type * as v from 'valibot';
import { countText } from '#lib/count-text.ts';
import type { changedSeat, SeatChange } from '#api/control/seats.ts';
import { noFleet, withChoice } from '../class/class-fleet.ts';
import { denied, findClass, rightsAt } from '../class/class-access.ts';
import { unknownClass } from '../class/class-errors.ts';
import type { Classes } from '../class/classes.ts';
import { renamed, withHand, withProgram, withProgress, withRemarks } from '../class/seats.ts';
import { mergeSpans } from '../class/work-time.ts';
import { base64url } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import type { ControlContext } from './control-endpoint.ts';
import { ownerLinkOf } from './owner-keys.ts';

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
