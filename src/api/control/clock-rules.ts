import { spokenDuration } from '../duration.ts';

/**
 * Says that the clock was moved.
 * @param offset how far it is ahead of the real time, in milliseconds
 */
export function movedClockText(offset: number): string {
	return `The clock of this sandbox is ${spokenDuration(offset)} ahead.`;
}
