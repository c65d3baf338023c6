import type { PartyId } from './parties.ts';

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
};

/**
 * Shortens monospaced text in the middle until it fits.
 * @param text the text
 * @param room width in characters
 */
export function fitText(text: string, room: number): string {
	if (text.length <= room) return text;
	if (room < 2) return '…';
	const head = Math.ceil((room - 1) * 0.62);
	const tail = room - 1 - head;
	return `${text.slice(0, head)}…${tail > 0 ? text.slice(-tail) : ''}`;
}

/** Width in pixels from which a label stays between the ends of its arrow. */
const wideArrow = 128;

/** Position of a label: from the left end of the arrow, or up to its right end, depending on the space. */
export function labelSpot(x1: number, x2: number, width: number): { x: number; anchor: 'start' | 'end'; room: number } {
	const left = Math.min(x1, x2);
	const right = Math.max(x1, x2);
	const anchor = width - left >= right ? 'start' : 'end';
	const room = right - left >= wideArrow ? right - left : Math.max(width - left, right);
	return { x: anchor === 'start' ? left : right, anchor, room };
}
