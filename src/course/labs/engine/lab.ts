import type { LabContent } from './lab-file.ts';
import type { LabRun, LabWorld } from './lab-run.ts';
import type { Message } from './message.ts';

type Find = (log: readonly Message[]) => Message | undefined;
/** A change of the client or of the service. */
type Change = Partial<LabWorld>;

/** What a move does. */
export type Move = {
	/** Whether there is what it works with: a held message, a received code. Default: always. */
	readonly isPossible?: (run: LabRun) => boolean;
	readonly act: (run: LabRun) => Promise<unknown> | void;
	/** Of a step. */
	readonly isDone?: (run: LabRun) => boolean;
};

/** A move that looks right and does not lead to the goal. */
export type Miss = {
	/** The message of the move that shows it. @param sent by the newest move */
	readonly happened: (sent: readonly Message[], run: LabRun) => Message | undefined;
	/** What its sentence names besides what its message has. */
	readonly values?: Readonly<Record<string, (message: Message, run: LabRun) => string | number>>;
	/** When another sentence than `otherwise` holds. */
	readonly cases?: Readonly<Record<string, (message: Message) => boolean>>;
};

/** What is code in a lab, by the names of its content: `labs/<id>.ts`. */
export type LabCode = {
	readonly world: LabWorld;
	/** By id, with what differs from the shared move of this id. */
	readonly moves?: Readonly<Record<string, Partial<Move>>>;
	readonly misses: Readonly<Record<string, Miss>>;
	/** The cases of what will be checked. */
	readonly checked?: Readonly<Record<string, (run: LabRun) => boolean>>;
	/** Finds the message that shows the goal. */
	readonly goal: Find;
	/** In place of the attacker’s window, and of the victim’s after the attack. */
	readonly subject?: SubjectCode;
	/** What the defenses change. One with `use` has that of the shared defense. */
	readonly defenses: { readonly right: Change } & { readonly [Name in keyof LabContent['wrongDefenses']]?: Change };
	/** Finds the message that shows the end of the attack. Default: the one that the named check rejected. */
	readonly rejected?: Find;
	/** How a user signs in who is not attacked. Default: at Character Viewer. */
	readonly goodUser?: (run: LabRun) => Promise<unknown>;
	/** The message that shows that this user reached the data. Default: the first character of this user. */
	readonly findGoodUser?: Find;
};

/** Something that the learner does. */
export type LabAction = LabContent['detours'][number] & Required<Pick<Move, 'isPossible' | 'act'>>;
/** A step of the attack. The evidence ticks it, in whichever order. */
export type LabStep = LabContent['steps'][number] & Required<Move>;

export type LabNearMiss = Pick<Miss, 'happened'> & {
	/** What happened, in values of that message. It names no move. */
	readonly text: (message: Message, run: LabRun) => string;
	/** A place where the reason can be seen, after “Look at”. */
	readonly look: string;
};

/** A defense that can be chosen. */
export type LabDefense = LabContent['wrongDefenses']['tooStrict'] & { readonly world: Change };

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

type Words<Name extends string = string> = Readonly<Record<Name, string>>;
/** What a lab is about, where windows do not show it: its cards, with the words of its content. */
export type SubjectCode = {
	readonly words: readonly string[];
	readonly cards: (run: LabRun, words: Words) => readonly LabCard[];
};

/** Cards of a lab. @param words the names of its words. @param cards pure: reads the log and the recordings of the service */
export function subjectOf<const Name extends string>(
	words: readonly Name[],
	cards: (run: LabRun, words: (name: Name) => string) => readonly LabCard[]
): SubjectCode {
	return { words, cards: (run, all) => cards(run, (name) => all[name] ?? '') };
}

/** A subject with the words of its content. */
export type LabSubject = Pick<NonNullable<LabContent['subject']>, 'name'> & {
	readonly cards: (run: LabRun) => readonly LabCard[];
};

/** A lab: its content with its code. */
export type Lab = Omit<LabContent, 'steps' | 'detours' | 'nearMisses' | 'willBeChecked' | 'evidence' | 'subject'> &
	Pick<LabCode, 'world' | 'goodUser' | 'findGoodUser'> & {
		readonly subject: LabSubject | undefined;
		readonly steps: readonly LabStep[];
		readonly detours: readonly LabAction[];
		/** By a stable name. The first one that the newest move shows is open below its row. */
		readonly nearMisses: Readonly<Record<string, LabNearMiss>>;
		/** What the receiver of the held message compares. */
		readonly willBeChecked: ((run: LabRun) => string) | undefined;
		readonly goal: { readonly text: string; readonly find: Find };
		/** The four defenses. The right one is the first. */
		readonly defenses: readonly (LabDefense & { readonly id: keyof LabCode['defenses'] })[];
		readonly rejected: LabContent['rejected'] & { readonly find: Find };
	};
