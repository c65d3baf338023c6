import type { TrafficEntry } from '#api/control/traffic.ts';
import { columnsFor, lessonParties, type PartyId } from '#ui/flow/flow-parties.ts';
import type { AccessType } from '#client/oauth/client-registration.ts';
import type { PausePoint } from '#api/control/pause.ts';
import type { RequestKind } from '../request-builder/request-kinds.ts';
import type { Term } from './glossary.ts';

/** A control that a step needs. The stage has one component for each kind. */
export type Tool =
	/** A sign-in to the viewer. Another one signs the user out of the service first where `isOther` is set. */
	| {
			readonly kind: 'sign-in';
			readonly access: AccessType;
			readonly scope?: readonly string[];
			readonly isOther?: true;
	  }
	/** A character request of the viewer. */
	| { readonly kind: 'look-up'; readonly name: string }
	/** One request with its parameters. Those that the learner changes have a field, the others are text. */
	| {
			readonly kind: 'request';
			readonly request: RequestKind;
			readonly edits?: readonly string[];
			/** The parameter that the step is about. */
			readonly marks?: string;
			/** Turns parameters on, or gives them a value. */
			readonly sets?: Readonly<Record<string, string>>;
			/** Adds a new code challenge to an authorization request, and its verifier to an exchange. Without it, neither is sent. */
			readonly usesPkce?: true;
			/** The application of the request. Without it: the viewer. */
			readonly client?: 'companion';
			/** Who sends it, where that is not the application. */
			readonly sender?: 'thief';
			/** The request opens in another tab, because nothing comes back to this page. */
			readonly opensTab?: true;
			readonly note?: string;
	  }
	/** Many character requests of the viewer. */
	| {
			readonly kind: 'load';
			readonly mode: 'atOnce' | 'inTurn' | 'untilBlacklisted';
			readonly setting?: 'throttle' | 'shareRefresh';
			/** What the switch of the setting has to be. */
			readonly isOn?: boolean;
			/** Hidden where the learner has to read the headers. */
			readonly hidesGauges?: true;
	  }
	/** Ends the access tokens of the sandbox. The application does not notice. */
	| { readonly kind: 'end-tokens' }
	| { readonly kind: 'clock'; readonly hours: number }
	/** Holds a message of the flow, so that the learner can read and change it. `text` says what to look at. */
	| { readonly kind: 'pause'; readonly point: PausePoint; readonly text: string }
	/** A refresh by the viewer. */
	| { readonly kind: 'refresh' }
	/** The side of the attacker. `checkState` is what the switch of the victim's application has to be. */
	| { readonly kind: 'attack'; readonly shows: 'create' | 'open' | 'both'; readonly checkState: boolean }
	/** A link that contains the access token of the viewer. */
	| { readonly kind: 'leak'; readonly page: 'character' | 'image' }
	| { readonly kind: 'sign-out' }
	/** The account page of the user, in another tab. */
	| { readonly kind: 'account' }
	| { readonly kind: 'companion' }
	/** Requests the rate limit records. */
	| { readonly kind: 'rate-limits' }
	/** The rate limit headers of the last character response. `isCompared`: beside those of the last response with the limits. */
	| { readonly kind: 'headers'; readonly isCompared?: true }
	/** The fields of the lesson. */
	| { readonly kind: 'fields' }
	/** The rate limiting status of the address. */
	| { readonly kind: 'status' }
	/** The form of a support ticket, or the decision of the owner. */
	| { readonly kind: 'tickets'; readonly shows: 'file' | 'decide' };

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
	/** Terms of `intro` that are explained. */
	readonly terms: readonly [Term, Term, Term];
	/** What the learner can do afterwards: `say what a second exchange does`. */
	readonly able: readonly [string, string, string];
	/** The flow that is known before the lesson. A message without a reply is the one that the lesson adds. */
	readonly known: readonly (ExpectedRequest & { readonly reply?: string })[];
	readonly predictionTitle: string;
	readonly steps: readonly [StageStep, ...StageStep[]];
	/** The exchanges that a thief sent. The log does not know who has a stolen value. */
	readonly isThief?: (entry: TrafficEntry) => boolean;
	/** Heading of the comparison: what happened. */
	readonly result: string;
	readonly question: DiagramQuestion;
	readonly learnt: {
		readonly title: string;
		readonly text: string;
		/** What it means for a client, as code. */
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
