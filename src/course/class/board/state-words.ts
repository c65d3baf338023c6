import type { Component } from 'svelte';
import CircleAlert from 'icon:circle-alert';
import CircleCheck from 'icon:circle-check';
import CircleDot from 'icon:circle-dot';
import Hand from 'icon:hand';
import Hourglass from 'icon:hourglass';
import Moon from 'icon:moon';
import { signalOf } from '#evidence/signals/find-signal.ts';
import type { BoardRow } from '#api/control/board.ts';
import { groupName } from '../model/class-words.ts';
import { kindOfSignal, stateOf, type SeatState } from '../model/seat-state.ts';

/** The icon, the word and the tone of each state. */
export const stateWords: Readonly<
	Record<
		SeatState,
		{ readonly icon: Component<{ 'aria-hidden'?: 'true' }>; readonly word: string; readonly tone: string }
	>
> = {
	hand: { icon: Hand, word: 'Hand', tone: 'caution' },
	stuck: { icon: CircleAlert, word: 'Stuck', tone: 'error' },
	slow: { icon: Hourglass, word: 'Slow', tone: 'caution' },
	working: { icon: CircleDot, word: 'Working', tone: '' },
	done: { icon: CircleCheck, word: 'Done', tone: 'ok' },
	away: { icon: Moon, word: 'Away', tone: '' }
};

/** The signal of a row in a sentence. Without a signal, its last exchange. */
export function sentenceOf({ signal, last }: BoardRow): string {
	return signal?.text ?? last?.text ?? '';
}

/** How long a seat is quiet that needs help or is away: `quiet 5 min`. Empty for others. */
export function quietText(row: BoardRow): string {
	return row.idle > 0 && ['stuck', 'away'].includes(stateOf(row)) ? `quiet ${row.idle} min` : '';
}

/** The number of a seat, with its group and whether it was helped: `17 · B · helped`. */
export function seatText({ seat, group, helped }: BoardRow): string {
	return [String(seat), ...(group === null ? [] : [groupName(group)]), ...(helped === null ? [] : ['helped'])].join(
		' · '
	);
}

/** The tone of the notice about a signal. */
export function signalTone(row: BoardRow): 'error' | 'caution' | 'info' {
	const kind = kindOfSignal(row);
	return kind === 'mistake' ? 'error' : kind === 'wait' ? 'caution' : 'info';
}

/** The name of a signal for several seats. */
export function signalTitle(id: string): string {
	return signalOf(id)?.title ?? id;
}

/** The minutes of a row against the median: `9 / 3`. */
export function minutesText({ minutes, median }: BoardRow): string {
	return median === null || median === 0 ? String(minutes) : `${minutes} / ${median}`;
}

/** Whether less than a quarter of the limit is left. */
export function isLow({ budget }: BoardRow): boolean {
	return budget !== null && budget.remaining < budget.limit / 4;
}
