import type { LabRun, LabWorld } from './lab-run.ts';
import type { Message, Party } from './message.ts';

/** The groups of the list of labs, in its order. */
export const labGroups = ['Sign-in', 'Redirects', 'Sessions and tokens', 'Users and limits'] as const;
export type LabGroup = (typeof labGroups)[number];

/** What the list says about a lab, in `about.ts` of its folder. */
export type LabSummary = {
	readonly title: string;
	/** One sentence of what the attacker reaches, without the mistake. */
	readonly goal: string;
	/** The position in the list, from 1. */
	readonly order: number;
	readonly group: LabGroup;
	/** How long it takes. */
	readonly minutes: number;
	/** The lesson that explains what it attacks: the name of its folder. */
	readonly lesson: string;
};

/** Something that the learner does. */
export type LabAction = {
	/** Stable: `remove_state`. */
	readonly id: string;
	/** On its button, of one to four words. */
	readonly label: string;
	/** Whose move it is, or `held`: it works with the held message. Absent: a tool of the attacker. */
	readonly place?: 'attacker' | 'victim' | 'held' | undefined;
	/** Whether there is what it works with: a held message, a received code. */
	readonly isPossible: (run: LabRun) => boolean;
	readonly act: (run: LabRun) => Promise<void> | void;
	/** The id of a step that leads on only after this. */
	readonly opens?: string;
};

/** A step of the attack. The evidence ticks it, in whichever order. */
export type LabStep = LabAction & {
	/** In the list of steps: `Remove state`. Code in backticks. */
	readonly title: string;
	/** What to do, and what is so now. At most 45 words. Code in backticks. */
	readonly text: string;
	readonly isDone: (run: LabRun) => boolean;
};

/** A move that looks right and does not lead to the goal. */
export type LabNearMiss = {
	/** The message of the move that shows it. @param sent by the newest move */
	readonly happened: (sent: readonly Message[], run: LabRun) => Message | undefined;
	/** What happened, in values of that message. It names no move. Code in backticks. */
	readonly text: (message: Message, run: LabRun) => string;
	/** A place where the reason can be seen, after “Look at”. */
	readonly look: string;
};

/** A change of the client or of the service that can be chosen as the defense. */
export type LabDefense = {
	/** On its card. */
	readonly title: string;
	/** The lines that it changes. */
	readonly code: string;
	/** Where they are. */
	readonly file: string;
	/** `RFC 9700 §4.7`: what its sentence is about. */
	readonly section: string;
	/** After it was run: why it is enough, or what it does in place of this. One sentence. */
	readonly text: string;
	/** What it changes of the world of the lab. */
	readonly world: Partial<LabWorld>;
};

/** The defense that is right. Its code is that of the lab, its section that of the check. */
type RightDefense = Pick<LabDefense, 'title' | 'text' | 'world'> & {
	/** Other places for this defense. */
	readonly others: readonly string[];
};

/** Three defenses that are not enough. */
type WrongDefenses = {
	/** Ends the attack, and stops the good user, too. */
	readonly tooStrict: LabDefense;
	/** Changes nothing here. */
	readonly noEffect: LabDefense;
	/** Ends another attack. */
	readonly otherAttack: LabDefense;
};

/** The check that must end the attack once the defense is on. */
export type ExpectedRejection = {
	/** Of a check of the service, or of a rule of the lab. */
	readonly id: string;
	/** `A missing state is rejected`. */
	readonly title: string;
	/** `Check of the client, line 12. The code was never sent.` */
	readonly text: string;
	readonly place: 'client' | 'authorization server' | 'resource' | 'user';
	/** `RFC 9700 §4.7`. */
	readonly section: string;
	/** The message that shows it. Default: the one that `id` rejected. */
	readonly find?: (log: readonly Message[]) => Message | undefined;
};

/** A line of a card. A value that the attacker chose or copied is yellow. */
export type LabFact = {
	readonly label: string;
	readonly value?: string | undefined;
	/** What is so with it. */
	readonly note?: string;
	readonly tone?: Message['tone'];
};

/** A party or a place of a lab, with what the log shows of it. */
export type LabCard = {
	readonly title: string;
	readonly note: string;
	readonly isOfAttacker: boolean;
	/** How much of a limit is left. */
	readonly gauge?: {
		readonly label: string;
		readonly remaining: number;
		readonly limit: number;
		/** In milliseconds since 1970. */
		readonly reset: number | undefined;
		readonly noResponse: boolean;
	};
	readonly facts: readonly LabFact[];
};

/** What a lab is about, where windows do not show it. */
export type LabSubject = {
	readonly name: 'Issuers' | 'Tokens' | 'Limits' | 'Device';
	/** Pure: reads the log and the recordings of the service. */
	readonly cards: (run: LabRun) => readonly LabCard[];
};

/** Why an attack worked, or what was right all the same. */
type Reason = { readonly isRight: boolean; readonly text: string };

/** What the page says of the ends of a lab. */
export const attackWords = {
	happened: 'The attack succeeded',
	/** What runs again. */
	attack: 'Your attack',
	/** What a defense may do with it. */
	rejected: 'Rejected',
	succeeds: 'Succeeds',
	/** What it did. */
	wasRejected: 'Attack rejected',
	succeeded: 'Attack succeeded',
	/** What a good user does. */
	userIn: 'player-two signed in',
	defended: 'Attack rejected, good user signed in'
};

/** A lab, in `lab.ts` of its folder. */
export type Lab = {
	/** What the attacker does. Code in backticks. At most 45 words. */
	readonly briefing: string;
	/** What the defense changes: one line, and those around it. */
	readonly code: {
		readonly file: string;
		/** Of the first line. */
		readonly line: number;
		readonly wrong: string;
		/** The part of it that is the mistake. */
		readonly marked: string;
		readonly right: string;
	};
	/** What the attacker has. Each with an icon of the frame. */
	readonly tools: readonly {
		readonly kind: 'account' | 'hold' | 'page' | 'server' | 'store' | 'request';
		readonly text: string;
	}[];
	/** The lanes, from the left, with what each is called. */
	readonly parties: readonly { readonly party: Party; readonly name: string }[];
	/** In place of the attacker’s window, and of the victim’s after the attack. */
	readonly subject?: LabSubject;
	readonly world: LabWorld;
	readonly steps: readonly LabStep[];
	/** Further actions, which do not lead to the goal. */
	readonly detours: readonly LabAction[];
	/** By a stable name. The first one that the newest move shows is open below its row. */
	readonly nearMisses: Readonly<Record<string, LabNearMiss>>;
	/** What the receiver of the held message compares. Undefined: nothing is held. */
	readonly willBeChecked?: (run: LabRun) => string;
	readonly goal: {
		/** A sentence about the log, in its words: `**player-three** is in the victim’s session`. */
		readonly text: string;
		/** The message that shows it. */
		readonly find: (log: readonly Message[]) => Message | undefined;
	};
	readonly happened: {
		readonly title: string;
		readonly paragraphs: readonly string[];
		/** The weakness, what it means, and what was right. */
		readonly why: readonly [Reason, Reason, Reason];
	};
	readonly defense: RightDefense;
	readonly wrongDefenses: WrongDefenses;
	readonly rejected: ExpectedRejection;
	/** In place of `attackWords`, for example of a lab without an attack. */
	readonly words?: Partial<typeof attackWords>;
	/** After the defense held. */
	readonly defended: { readonly title: string; readonly text: string };
	/** What to look for in a client of one's own. Sentences of the documentation. */
	readonly ownClient: readonly string[];
	/** How a user signs in who is not attacked. Default: at Character Viewer. */
	readonly goodUser?: (run: LabRun) => Promise<void>;
	/** The message that shows that this user reached the data. Default: the first character of this user. */
	readonly findGoodUser?: (log: readonly Message[]) => Message | undefined;
	readonly remains: readonly { readonly text: string; readonly lab?: string; readonly rule?: string }[];
	/** A thought, a place, a tool. None names the values. */
	readonly hints: readonly [string, string, string];
	readonly questions: readonly {
		readonly question: string;
		readonly options: readonly { readonly text: string; readonly isRight: boolean; readonly reply: string }[];
	}[];
	/** For instructors: what to discuss. */
	readonly notes: readonly string[];
};
