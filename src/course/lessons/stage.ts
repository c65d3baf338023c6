import type { TrafficEntry } from '#api/control/traffic.ts';
import { columnsFor, lessonParties, type PartyId } from '#ui/flow/flow-parties.ts';
import type { Term } from '#evidence/lesson-file/glossary.ts';
import type { Tool } from '#evidence/lesson-file/product-lesson.ts';

export type { Tool };

/** A request that is still to come. Its response is not shown. */
export type ExpectedRequest = { readonly from: PartyId; readonly to: PartyId; readonly label: string };

/** One thing to do. `code` in backticks, **buttons** in asterisks. */
export type StageStep = {
	/** What it is called in the list of steps. */
	readonly title: string;
	/** The instruction, at most two sentences and the name of the button. */
	readonly text: string;
	/** In the order in which they are used. The first unused one has the primary button. */
	readonly tools: readonly [Tool, ...Tool[]];
	/** Id of the condition that ticks it. The steps are in the order of the conditions. */
	readonly condition: string;
	/** Its faint arrows. None for a step that sends nothing. */
	readonly expected?: readonly [ExpectedRequest, ...ExpectedRequest[]];
	/** What its messages are folded to when it is done, where they are not what the lesson is about: `Sign-in of player-one`. */
	readonly folds?: string;
};

/** A message of the diagram that the learner has to find. */
export type DiagramQuestion = {
	readonly title: string;
	readonly text: string;
	readonly solution: {
		readonly condition: string;
		readonly part: 'request' | 'response' | 'callback';
		/** Which exchanges are right, where others than the last one that shows the condition are. */
		readonly accepts?: (entry: TrafficEntry, isShown: boolean) => boolean;
	};
	/** Shown after the choice. */
	readonly right: string;
	readonly wrong: string;
};

/** What the learner reads, does and finds out in a lesson, part by part. */
export type Stage = {
	/** What this is and why it matters. At most 80 words in all. */
	readonly intro: readonly string[];
	/** Terms of `intro` that are explained. Three in a lesson of the product. */
	readonly terms: readonly Term[];
	/** What the learner finds out: questions before the prediction, and what showed the responses. Two to four in a lesson of the product. */
	readonly findings: readonly { readonly question: string; readonly condition: string; readonly response: string }[];
	/** The flow that is known before the lesson. A message without a reply is the one that the lesson adds. */
	readonly known: readonly (ExpectedRequest & { readonly reply?: string })[];
	readonly predictionTitle: string;
	readonly steps: readonly [StageStep, ...StageStep[]];
	/** The exchanges that a thief sent. The log does not know who has a stolen value. */
	readonly isThief?: (entry: TrafficEntry) => boolean;
	/** Heading of the comparison: what happened. */
	readonly result: string;
	/** With an empty title in a lesson that asks none. */
	readonly question: DiagramQuestion;
	readonly learnt: {
		readonly title: string;
		readonly text: string;
		/** What it means for a client, as code. Empty for none. */
		readonly code: string;
	};
};

/** The columns of a lesson, from left to right: the same ones in all its parts. */
export type Columns = {
	/** In a diagram with room for all. */
	readonly wide: readonly PartyId[];
	/** On a phone: only the parties that send something in this lesson. */
	readonly narrow: readonly PartyId[];
};

/** The columns of a lesson. */
export function columnsOf({ known, steps }: Pick<Stage, 'known' | 'steps'>): Columns {
	const messages = [...known, ...steps.flatMap(({ expected = [] }) => expected)];
	const used = new Set(messages.flatMap(({ from, to }) => [from, to]));
	return { wide: columnsFor(used), narrow: lessonParties.filter((party) => used.has(party)) };
}
