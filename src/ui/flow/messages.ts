import type { PartyId } from './flow-parties.ts';

/** Height of a row in pixels. */
export const rowHeight = 40;

/** One arrow of the sequence diagram. */
export type Message = {
	readonly id: string;
	readonly from: PartyId;
	readonly to: PartyId;
	/** Text on the arrow: `POST /ws/oauth2/token/`, `200 access_token`. */
	readonly label: string;
	/** A response. Its line is dashed. */
	readonly isReply?: boolean;
	/** A rejected request. Its response is red and crossed. */
	readonly isRejected?: boolean;
	/** A message that is still to come. It is faint. */
	readonly isGhost?: boolean;
	/** A message that waits for a decision. Its row is framed. */
	readonly isHeld?: boolean;
};

/**
 * Shortens monospaced text until it fits: to what follows its last dot, which the message is about, or in the middle.
 * @param text the text
 * @param room width in characters
 */
export function fitText(text: string, room: number): string {
	if (text.length <= room) return text;
	if (room < 2) return '…';
	const [, last = ''] = / · ([^·]+)$/.exec(text) ?? [];
	if (last !== '' && last.length + 2 <= room) return `… ${last}`;
	const head = Math.ceil((room - 1) * 0.62);
	const tail = room - 1 - head;
	return `${text.slice(0, head)}…${tail > 0 ? text.slice(-tail) : ''}`;
}

/** Width in pixels from which a label stays between the ends of its arrow. */
const wideArrow = 128;

/** Position of a label: from the left end of the arrow, or up to its right end if too little space follows the left one. */
export function labelSpot(x1: number, x2: number, width: number): { x: number; anchor: 'start' | 'end'; room: number } {
	const left = Math.min(x1, x2);
	const right = Math.max(x1, x2);
	if (right - left >= wideArrow) return { x: left, anchor: 'start', room: right - left };
	if (width - left >= wideArrow) return { x: left, anchor: 'start', room: width - left };
	return { x: right, anchor: 'end', room: right };
}

/** Width of a character of a label in pixels: 6.75, which systems without subpixel positioning round. */
const characterWidth = 7;

/** Where the parts of an arrow are, in pixels. */
export type ArrowShape = {
	readonly start: number;
	readonly end: number;
	/** Where the lines of the arrowhead begin. */
	readonly barb: number;
	readonly textX: number;
	readonly anchor: 'start' | 'end';
	/** The label, shortened to the space. */
	readonly text: string;
};

/** The middle of a party's column in pixels. */
export function columnX<Id extends string>(party: Id, columns: readonly Id[], width: number): number {
	return (columns.indexOf(party) + 0.5) * (width / columns.length);
}

/** The label beside the dot of a party that does something without a message. */
function noteLabel(x: number, label: string, width: number): Pick<ArrowShape, 'textX' | 'anchor' | 'text'> {
	return { textX: x + 9, anchor: 'start', text: fitText(label, Math.floor((width - x - 12) / characterWidth)) };
}

/**
 * Where an arrow is drawn in its row. A party that does something without a message has a dot there.
 * @param columns the parties of the diagram, from left to right
 * @param width of the diagram in pixels
 */
export function arrowShape<Id extends string>(
	{ from, to, label }: { readonly from: Id; readonly to: Id } & Pick<Message, 'label'>,
	columns: readonly Id[],
	width: number
): ArrowShape {
	const [start, end] = [columnX(from, columns, width), columnX(to, columns, width)];
	if (from === to) return { start, end, barb: end, ...noteLabel(start, label, width) };
	const direction = end >= start ? 1 : -1;
	const spot = labelSpot(start, end, width);
	return {
		start,
		end: end - direction * 2,
		barb: end - direction * 9,
		anchor: spot.anchor,
		textX: spot.anchor === 'start' ? spot.x + 8 : spot.x - 8,
		text: fitText(label, Math.floor((spot.room - 12) / characterWidth))
	};
}
