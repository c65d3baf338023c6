import Boxes from 'icon:boxes';
import Database from 'icon:database';
import HatGlasses from 'icon:hat-glasses';
import ShieldCheck from 'icon:shield-check';
import User from 'icon:user';
import UserCheck from 'icon:user-check';
import type { Lab } from '../engine/lab.ts';
import { partsOf, rowsOf, secondIssuer, type Message, type Party } from '../engine/message.ts';
import type { PartyId } from '#ui/flow/flow-parties.ts';
import type { Lane, SeenRow } from '../../frame/seen-row.ts';

const looks: Readonly<Record<Party, Required<Pick<Lane, 'icon'>> & { readonly color: PartyId }>> = {
	attacker: { icon: HatGlasses, color: 'browser' },
	attacker_site: { icon: HatGlasses, color: 'thief' },
	victim: { icon: User, color: 'user' },
	good_user: { icon: UserCheck, color: 'user' },
	client: { icon: Boxes, color: 'application' },
	service: { icon: ShieldCheck, color: 'authorization' },
	second_service: { icon: ShieldCheck, color: 'thief' },
	resource: { icon: Database, color: 'resource' }
};

/** The color of the messages of a party. */
export const colorOf = (party: Party): PartyId => looks[party].color;

/** The lanes of a lab, from the left. The good user has the lane of the victim. */
export function lanesOf(parties: Lab['parties']): (Lane & { readonly id: Party })[] {
	return parties.map(({ party, name }) => ({
		id: party,
		label: name,
		icon: looks[party].icon,
		color: `var(--party-${looks[party].color})`
	}));
}

/** A row of the evidence of a lab. */
export type LabRow = SeenRow & {
	/** Who recorded it. */
	readonly by: string;
};

/**
 * The rows of a log.
 * @param decisive the message that shows the goal, or that was rejected
 * @param isWanted whether its rejection is what was wanted
 */
export function labRows(
	lab: Pick<Lab, 'parties'>,
	log: readonly Message[],
	marked: ReadonlySet<string>,
	decisive: Message | undefined,
	isWanted = true
): LabRow[] {
	const nameOf = (party: Party) => lab.parties.find((one) => one.party === party)?.name ?? '';
	const laneOf = (party: Party): Party => (party === 'good_user' ? 'victim' : party);
	const moved = log.map((message) => ({ ...message, from: laneOf(message.from) }));
	const parties = lab.parties.map(({ party }) => party);
	const all = rowsOf(moved, parties);
	// The first of several alike messages shows the goal, and the last of them has the row.
	const decisiveRow = decisive && all.find(({ id, cause }) => id >= decisive.id && cause === decisive.cause)?.id;
	return all.flatMap((message) => {
		const parts = partsOf(message, marked);
		const isDecisive = message.id === decisiveRow;
		const follow = parts.find(({ isMarked }) => isMarked)?.text;
		const row: LabRow = {
			id: String(message.id),
			from: message.from,
			to: message.to,
			message: parts
				.flatMap(({ text, isMarked }) => (isMarked ? [] : [text]))
				.join('')
				.trimEnd(),
			follow,
			status: message.status,
			outcome: message.outcome,
			// What the defense rejects is what was wanted.
			tone: isDecisive && isWanted && message.rejection !== undefined ? 'ok' : message.tone,
			arrow: message.state === 'held' ? 'open' : message.rejection === undefined ? 'sent' : 'rejected',
			isDecisive,
			by: message.state === 'held' ? '' : nameOf(message.to)
		};
		const isLast = isDecisive && message.rejection?.by === 'client';
		return isLast ? [row, unsentRow(message)] : [row];
	});
}

/** What the client did not send, because it rejected the message before. */
function unsentRow({ id, rejection }: Message): LabRow {
	// The session of a sign-in with the attacker's issuer would send it there.
	const isAtSecond = rejection?.expected?.startsWith(secondIssuer) === true;
	return {
		id: `${id} unsent`,
		from: 'client',
		to: isAtSecond ? 'second_service' : 'service',
		message: 'POST token',
		outcome: 'Not sent',
		tone: 'plain',
		arrow: 'unsent',
		by: ''
	};
}

/** The numbers of the rows before the good user (`1–4`), of this user, and of what the attacker sends afterwards. */
export function rangesOf(
	rows: readonly LabRow[],
	from: number
): { readonly before: string; readonly goodUser: string; readonly attacker: string } {
	const [start, end] = [rows.findIndex(({ id }) => parseInt(id) >= from), rows.length];
	if (start < 0) return { before: range(0, end), goodUser: '', attacker: '' };
	const last = rows.findIndex((row, at) => at >= start && row.from === 'attacker');
	const until = last < 0 ? end : last;
	return { before: range(0, start), goodUser: range(start, until), attacker: range(until, end) };
}

/** Of the rows from an index to before another one. */
function range(start: number, end: number): string {
	return end <= start ? '' : end === start + 1 ? String(end) : `${start + 1}–${end}`;
}

/** A message of the diagram. */
export type DrawnArrow = {
	readonly id: string;
	readonly from: Party;
	readonly to: Party;
	readonly color: PartyId;
	readonly label: string;
	readonly isReply: boolean;
	readonly isRejected: boolean;
	/** It carries the value of the attacker. */
	readonly isFollowed: boolean;
};

/** The most rows of the diagram. */
const most = 11;

/** The messages of an attack as arrows: each request, and of those that a service responded to the response. The link of the attacker is one, too. */
export function arrowsOf(
	lab: Pick<Lab, 'parties'>,
	log: readonly Message[],
	marked: ReadonlySet<string>
): DrawnArrow[] {
	const parties = lab.parties.map(({ party }) => party);
	const rows = rowsOf(log, parties).filter(({ state }) => state !== 'held');
	const all = rows.flatMap((message): DrawnArrow[] => {
		const { id, from, to, outcome, rejection } = message;
		const parts = partsOf(message, marked);
		const isFollowed = parts.some(({ isMarked }) => isMarked);
		const arrow = { isReply: false, isRejected: false, isFollowed };
		const request = {
			...arrow,
			id: `${id}`,
			from,
			to,
			color: colorOf(from),
			label: parts.map(({ text }) => text).join('')
		};
		if (outcome === '' || from === to) return [request];
		// A redirect: the browser sends the next message with what it got.
		const next = log.find((one) => one.id > id && one.from === from);
		const isIssued =
			outcome.startsWith('Code') && next !== undefined && partsOf(next, marked).some(({ isMarked }) => isMarked);
		return [
			request,
			{
				id: `${id} reply`,
				from: to,
				to: from,
				color: colorOf(to),
				label: outcome,
				isReply: true,
				isRejected: rejection !== undefined,
				isFollowed: isIssued
			}
		];
	});
	// Where there is too little room, responses without a value of the attacker are left out, from the first on.
	const spare = all.filter(({ isReply, isFollowed, isRejected }) => isReply && !isFollowed && !isRejected);
	const left = new Set(spare.slice(0, Math.max(0, all.length - most)).map(({ id }) => id));
	return all.filter(({ id }) => !left.has(id));
}
