import type { Option } from '../frame/question.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { LessonSummary } from '#evidence/lesson-file/product-lesson.ts';
import type { Preset } from '#api/control/preset.ts';
import type { Condition } from './evaluation/condition.ts';
import type { Stage } from './stage.ts';

export { chapters } from '#evidence/lesson-file/chapters.ts';
export type { LessonSummary };

/** A lesson of a list. The id of one of the product is the name of its file. One of an instructor has no chapter and no number. */
export type ListedLesson = Omit<LessonSummary, 'chapter' | 'order'> &
	Partial<Pick<LessonSummary, 'chapter' | 'order'>> & { readonly id: string };

/** A question whose option the learner chooses before the run. */
export type Prediction = {
	readonly question: string;
	/** Two to four. Exactly one is right. */
	readonly options: readonly (Option & {
		/** The lines of the response that it implies: the status, and what `shows` names. */
		readonly implies: readonly [string, ...string[]];
	})[];
	/** Id of the condition whose exchanges show the right option. */
	readonly shownBy: string;
	/** The part of the recorded response that decides: `body`, `body` and a member of it, or the name of a header. */
	readonly shows: string;
	/** What the run showed with one thing and with another, where the lesson changes one. */
	readonly comparison?: Comparison;
};

/** Two results of a run side by side. */
export type Comparison = {
	/** What differs: `Without PKCE` and `With PKCE`. */
	readonly columns: readonly [string, string];
	/** Label and the two values of each row; undefined where the run has none. */
	readonly rows: (run: ShownRun) => readonly ComparedRow[];
};

export type ComparedRow = readonly [label: string, ...values: [ComparedValue, ComparedValue]];
type ComparedValue = string | number | undefined;

export type ShownRun = {
	/** All exchanges, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** The exchanges that show a condition, oldest first. */
	readonly shown: (id: string) => readonly TrafficEntry[];
	/** What the learner sent in a step, oldest first. */
	readonly sent: (step: number) => readonly TrafficEntry[];
};

/** Help, in three levels. */
export type Help = {
	/** Where to look. */
	readonly hint: string;
	/** The call to make, as curl. `{curl}` is replaced by the command with its certificate authority, `{base_url}` by the base URL of the sandbox. */
	readonly call: string;
};

/** One of the learner's own clients in this lesson. */
export type OwnClient = {
	/** What the program has to do, one sentence each. */
	readonly steps: readonly string[];
	/** Commands or code that do it, with the same placeholders as `Help.call`. */
	readonly code: string;
};

/** Which exchanges belong to one attempt: those of one sign-in, those of one application, or all. */
export type AttemptKind = 'flow' | 'application' | 'all';

/** A lesson, compiled from its file: data, apart from the functions of its conditions. */
export type Lesson = {
	/** What the learner reads and does. */
	readonly stage: Stage;
	/** What a new sandbox is changed to before the lesson starts. */
	readonly start?: Omit<Preset, 'format' | 'version'>;
	/** Without options in a lesson that asks for none. */
	readonly prediction: Prediction;
	/** Which exchanges belong to one attempt. */
	readonly attempts: AttemptKind;
	/** In the order in which they are usually met. */
	readonly conditions: readonly Condition[];
	/** Shown when all conditions are met. At most 60 words. */
	readonly explanation: string;
	/** Sections of the specification ("3.1") or of RFCs ("RFC 6749 §10.12"). */
	readonly sections: readonly string[];
	readonly help: Help;
	readonly ownClient: OwnClient;
	/** What the lesson page asks for besides requests: numbers that the learner reads off. */
	readonly fields?: readonly { readonly id: string; readonly label: string }[];
	/** For those who teach it. */
	readonly notes: LessonNotes;
};

/** What an instructor wants to know about a lesson. The page of the notes prints one lesson on a page. */
export type LessonNotes = {
	/** Minutes that a group needs besides `minutes`, to discuss it. */
	readonly discuss: number;
	/** Where groups lose time, and what helps. */
	readonly watch: string;
	/** What learners often believe, and what to reply. */
	readonly mistakes: readonly { readonly belief: string; readonly reply: string }[];
	/** What to discuss, and what the group should find out. */
	readonly questions: readonly { readonly question: string; readonly listenFor: string }[];
};
