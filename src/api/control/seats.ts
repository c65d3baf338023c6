import * as v from 'valibot';
import { retryPolicyName, seatFleet } from './class-fleet.ts';
import { instant, whole } from './fields.ts';
import { createdSandbox } from './sandboxes.ts';

/** The most seats that a server can have, in all classes. */
export const maxSeats = 300;

/** Of a lesson (`whole-trip`), an exercise (`write/exchange-the-code`) or a lab (`labs/login-csrf`). The service accepts known ones only. */
export const courseId = v.pipe(
	v.string(),
	v.regex(/^(?:(?:write|labs)\/)?[a-z\d-]{1,40}$/, 'Use the id of a lesson, an exercise or a lab.')
);

/** The most groups of a class. */
export const maxGroups = 20;
/** The longest note about a seat, in characters. */
export const maxNote = 500;

/** The longest program that a student shows, in characters. */
export const maxShownProgram = 12_000;

const place = v.pipe(v.string(), v.regex(/^\d{1,2}$/, 'Use the place of the condition in its lesson, from 0.'));
const requestId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'Use 1 to 64 letters, digits, "_" and "-".'));

/** A notice as its readers get it. */
export const notice = v.object({
	id: v.string(),
	at: instant,
	text: v.string(),
	link: v.optional(v.string()),
	/** Absent: all seats. */
	seats: v.optional(v.array(v.number()))
});

/** What a page of a seat says of its lesson, exercise or lab. Nothing in it is a text of the student: the instructor reads it. */
export const seatProgress = v.pipe(
	v.strictObject({
		lesson: courseId,
		/** The number of the step, from 0. */
		step: whole(0, 100),
		/** The places of the steps that are shown, each with the ids of the exchanges that show it. */
		shown: v.pipe(
			v.record(place, v.pipe(v.array(requestId), v.maxLength(10))),
			v.check((shown) => Object.keys(shown).length <= 30, 'At most 30 steps.')
		),
		/** How many steps the lesson has. */
		of: whole(0, 30),
		/** The near miss of an exercise or a lab, in words with `_` between them: `a_JSON_body`. */
		miss: v.exactOptional(
			v.pipe(v.string(), v.regex(/^\w{1,60}$/, 'Use 1 to 60 letters without accents, digits and "_".'))
		),
		is_done: v.boolean(),
		/** Whether a hint or the solution was opened. */
		revealed: v.exactOptional(v.boolean()),
		/** The place of the choice in the prediction, from 0, or `unknown`. */
		prediction: v.exactOptional(
			v.pipe(v.string(), v.regex(/^(?:\d|unknown)$/, 'Use the place of the choice, or "unknown".'))
		)
	}),
	v.check(
		({ step, shown, of }) => step <= of && Object.keys(shown).every((place) => Number(place) < of),
		'A step is not among those of the lesson.'
	)
);

/** A program that a student shows to the instructor. */
export const shownProgram = v.strictObject({
	/** The exercise. */
	lesson: courseId,
	text: v.pipe(
		v.string(),
		v.minLength(1, 'This field is required.'),
		v.maxLength(maxShownProgram, `A program that is shown has at most ${maxShownProgram} characters.`)
	)
});

/** `GET classes/<code>/seats/<seat>/program`. */
export const seatProgram = v.object({ lesson: v.string(), text: v.string(), shown_at: instant });

/** `PATCH classes/<code>/seats/<seat>`. */
export const seatChange = v.strictObject({
	/** Another label. By the seat. */
	label: v.exactOptional(v.literal(true)),
	/** By the seat. */
	progress: v.exactOptional(seatProgress),
	/** `true` by the seat, `false` by the seat or the instructor. */
	hand: v.exactOptional(v.boolean()),
	/** A page of the seat was opened or used. By the seat. */
	presence: v.exactOptional(v.literal(true)),
	/** Shows a program to the instructor, in place of the one before. `null`: shows none. By the seat. */
	program: v.exactOptional(v.nullable(shownProgram)),
	/** What its simulated client does when a request is rejected, in the next wave of the fleet. By the seat. */
	policy: v.exactOptional(retryPolicyName),
	/** The group of the seat, from 1. `null`: its turn in the order of the numbers. By the instructor. */
	group: v.exactOptional(v.nullable(whole(1, maxGroups))),
	/** What the instructor notes. The student does not see it. Empty: nothing. By the instructor. */
	note: v.exactOptional(v.pipe(v.string(), v.maxLength(maxNote, `A note has at most ${maxNote} characters.`))),
	/** Marks the seat as helped, or not. By the instructor. */
	helped: v.exactOptional(v.boolean()),
	/** A new key, for another device. The old ones stop working. By the instructor. */
	released: v.exactOptional(v.literal(true))
});

/** The response to a change of a seat. */
export const changedSeat = v.object({
	seat: v.number(),
	label: v.string(),
	hand: v.nullable(v.object({ since: instant })),
	/** After `released`: opens the seat in a browser. Shown once. */
	link: v.optional(v.string())
});

/** `POST classes/<code>/seats`. */
export const newSeat = v.strictObject({
	/** Of an earlier seat. */
	return_code: v.exactOptional(v.pipe(v.string(), v.maxLength(1000, 'A code of an earlier class is shorter.')))
});

/** What a visitor with the code sees before joining. */
export const classEntrance = v.object({
	name: v.string(),
	expires: instant,
	is_locked: v.boolean(),
	is_full: v.boolean()
});

/** The response to joining. The key and the secrets are shown once. */
export const joinedSeat = v.object({
	seat: v.number(),
	label: v.string(),
	base_url: v.string(),
	key: v.string(),
	applications: createdSandbox.entries.applications
});

/** In `GET status` of a seat. */
export const seatStatus = v.object({
	code: v.string(),
	/** Of the class. */
	name: v.string(),
	seat: v.number(),
	label: v.string(),
	/** From 1. `null`: the class has no groups. */
	group: v.nullable(v.number()),
	lessons: v.array(v.string()),
	/** Whether labs show their steps. `null`: as the student chooses. */
	guided: v.nullable(v.boolean()),
	expires: instant,
	paused_until: v.nullable(instant),
	/** Those for this seat, oldest first. */
	notices: v.array(notice),
	/** `place`: in the queue of raised hands, from 1. */
	hand: v.nullable(v.object({ since: instant, place: v.number() })),
	/** When the instructor last read the traffic log of this seat. */
	watched: v.nullable(instant),
	/** The lessons, exercises and labs that are done, also in an earlier class. */
	done: v.array(v.string()),
	/** Opens a seat of a later class with what is done. */
	return_code: v.string(),
	/** `null`: the class has no fleet. */
	fleet: v.nullable(seatFleet),
	/** Since when a program of the student is shown to the instructor. */
	program: v.nullable(instant)
});

export type Notice = v.InferOutput<typeof notice>;
export type SeatProgress = v.InferOutput<typeof seatProgress>;
export type ShownProgram = v.InferOutput<typeof shownProgram>;
export type SeatProgram = v.InferOutput<typeof seatProgram>;
export type SeatChange = v.InferOutput<typeof seatChange>;
export type SeatStatus = v.InferOutput<typeof seatStatus>;
export type JoinedSeat = v.InferOutput<typeof joinedSeat>;
export type ClassEntrance = v.InferOutput<typeof classEntrance>;
