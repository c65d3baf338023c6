import type { PartyId } from './parties.ts';

/** How a message went. `lost`: no response came. */
export type Outcome = 'ok' | 'refused' | 'lost';

/** How tall a message's row is, in pixels. */
export const rowHeight = 40;

/** One arrow of the diagram. */
export type Message = {
	readonly id: string;
	readonly from: PartyId;
	readonly to: PartyId;
	/** What stands on the arrow: `POST /ws/oauth2/token/`, `200 access_token`. */
	readonly label: string;
	/** A reply is drawn dashed. */
	readonly reply?: boolean;
	/** A refused one is red, dashed and crossed, and says its status in the label. */
	readonly outcome?: Outcome;
};

/**
 * Shortens a text in the middle until it fits, since a monospaced character has a known width.
 * @param text what to fit
 * @param room in characters
 */
export function fitText(text: string, room: number): string {
	if (text.length <= room) return text;
	if (room < 2) return '…';
	const head = Math.ceil((room - 1) * 0.62);
	const tail = room - 1 - head;
	return `${text.slice(0, head)}…${tail > 0 ? text.slice(-tail) : ''}`;
}

/** Where a label stands: it begins at the arrow's left end, or ends at its right end, whichever leaves more room. */
export function labelSpot(x1: number, x2: number, width: number): { x: number; anchor: 'start' | 'end'; room: number } {
	const left = Math.min(x1, x2);
	const right = Math.max(x1, x2);
	return width - left >= right
		? { x: left, anchor: 'start', room: width - left }
		: { x: right, anchor: 'end', room: right };
}
