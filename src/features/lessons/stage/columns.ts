import { flowParties, type FlowParty } from '#ui/flow/flow-parties.ts';
import type { Stage } from '../stage.ts';

/** The columns of a lesson, from left to right: the same ones in all its parts. */
export type Columns = {
	/** In a diagram with room for all. */
	readonly wide: readonly FlowParty[];
	/** On a phone: only the parties that send something in this lesson. */
	readonly narrow: readonly FlowParty[];
};

/** The columns of a lesson. */
export function columnsOf({ known, steps }: Pick<Stage, 'known' | 'steps'>): Columns {
	const messages = [...known, ...steps.flatMap(({ expected = [] }) => expected)];
	const used = new Set(messages.flatMap(({ from, to }) => [from, to]));
	return {
		wide: flowParties.filter((party) => party !== 'user' || used.has(party)),
		narrow: flowParties.filter((party) => used.has(party))
	};
}
