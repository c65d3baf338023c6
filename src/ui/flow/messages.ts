import type { PartyId } from './parties.ts';

/** Result of a message. */
export type Outcome = 'ok' | 'rejected' | 'no_response';

/** Height of a row in pixels. */
export const rowHeight = 40;

/** One arrow of the sequence diagram. */
export type Message = {
	readonly id: string;
	readonly from: PartyId;
	readonly to: PartyId;
	/** Text on the arrow: `POST /ws/oauth2/token/`, `200 access_token`. */
	readonly label: string;
	/** Responses are dashed. */
	readonly reply?: boolean;
	/** A rejected message is red, dashed and crossed, and its label contains the status. */
	readonly outcome?: Outcome;
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

/** Position of a label: from the left end of the arrow, or up to its right end, depending on the space. */
export function labelSpot(x1: number, x2: number, width: number): { x: number; anchor: 'start' | 'end'; room: number } {
	const left = Math.min(x1, x2);
	const right = Math.max(x1, x2);
	return width - left >= right
		? { x: left, anchor: 'start', room: width - left }
		: { x: right, anchor: 'end', room: right };
}
