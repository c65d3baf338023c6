import * as v from 'valibot';
import { classFleet } from './class-fleet.ts';
import { instant } from './fields.ts';
import { notice } from './seats.ts';

/** What the traffic and the progress of a seat show, as a row of the board. */
export const boardRow = v.object({
	seat: v.number(),
	label: v.string(),
	base_url: v.string(),
	joined: instant,
	presence: v.picklist(['active', 'quiet', 'away']),
	lesson: v.nullable(v.string()),
	step: v.number(),
	/** How many lessons are done, and whether the current one is. */
	done: v.number(),
	is_done: v.boolean(),
	/** How many steps of the lesson are shown, and how many it has. Those of an exercise are its conditions, those of a lab its steps and the defense. */
	shown: v.number(),
	of: v.number(),
	/** The places of the steps that are shown, from 0. */
	shown_steps: v.array(v.string()),
	/** Since the step began, in whole minutes. */
	minutes: v.number(),
	/** Since the last sign of work: a request of its client, or a press in one of its pages. In whole minutes. */
	idle: v.number(),
	/** The minutes of the class, where at least five seats were in the step. */
	median: v.nullable(v.number()),
	/** `own`: a client of the student has sent requests. */
	client: v.nullable(v.picklist(['viewer', 'own'])),
	/** The last exchange. `check` and `cause` are those of the check that failed. */
	last: v.nullable(
		v.object({
			text: v.string(),
			/** By the real clock. */
			at: instant,
			request: v.string(),
			check: v.optional(v.string()),
			cause: v.optional(v.string())
		})
	),
	/** `since` is by the clock of the seat. */
	signal: v.nullable(
		v.object({
			id: v.string(),
			since: instant,
			count: v.number(),
			requests: v.array(v.string()),
			text: v.string()
		})
	),
	/** Of the rate limit, as the last response said. */
	budget: v.nullable(v.object({ remaining: v.number(), limit: v.number() })),
	blacklisted: v.boolean(),
	/** The report card of its client: rules that failed, and those that nothing was shown of. */
	card: v.nullable(v.object({ failed: v.number(), not_shown: v.number() })),
	hand: v.nullable(v.object({ since: instant })),
	/** The place of the choice in the prediction, or `unknown`. */
	prediction: v.nullable(v.string()),
	/** Whether a hint or the solution was opened in the lesson. */
	revealed: v.boolean(),
	/** From 1. `null`: the class has no groups. */
	group: v.nullable(v.number()),
	/** Of the instructor. Empty: none. */
	note: v.string(),
	/** When the instructor marked the seat as helped. */
	helped: v.nullable(instant),
	/** Since when the student shows a program. */
	program: v.nullable(instant),
	/** How far the clock of the seat is ahead, in milliseconds. */
	offset: v.number()
});

/** Who reads a board. */
export const classRoles = ['instructor', 'co_instructor'] as const;
export type ClassRole = (typeof classRoles)[number];

const classFields = {
	code: v.string(),
	name: v.string(),
	join_url: v.string(),
	seats: v.number(),
	joined: v.number(),
	lessons: v.array(v.string()),
	created: instant,
	expires: instant,
	is_locked: v.boolean(),
	/** Until when the pages of the seats are covered. */
	paused_until: v.nullable(instant),
	notices: v.array(notice),
	/** How many groups it has. */
	groups: v.number(),
	/** Of the current exercise, by the real clock. It may be over. */
	timer: v.nullable(v.object({ from: instant, until: instant })),
	/** `null`: the class has no fleet. */
	fleet: v.nullable(classFleet),
	/** The browsers that have the board open, and those with the wall. Those of this server process. */
	boards: v.object({ instructors: v.number(), co_instructors: v.number(), walls: v.number() })
};

/** The event `class` of the board. */
export const classView = v.object(classFields);

/** `GET classes/<code>`. */
export const classBoard = v.object({
	...classFields,
	/** Of the caller. A co-instructor only reads. */
	role: v.picklist(classRoles),
	/** Since when the rows know the traffic. */
	since: instant,
	rows: v.array(boardRow)
});

export const exportedSeat = v.object({
	seat: v.number(),
	label: v.string(),
	lesson: v.nullable(v.string()),
	started: instant,
	done: v.array(v.string()),
	revealed: v.array(v.string()),
	/** Of the lesson: its steps that are shown, and how many it has. */
	shown: v.number(),
	of: v.number(),
	minutes: v.number(),
	/** Without pauses of more than 5 minutes between two signs of work. */
	active_minutes: v.number(),
	group: v.nullable(v.number()),
	helped: v.boolean(),
	/** Of the instructor. */
	note: v.string(),
	/** When the lessons were done, by id. */
	done_at: v.record(v.string(), instant),
	/** Exchanges of the protocol since the student joined, and those of them that failed. */
	requests: v.number(),
	tries: v.number(),
	signals: v.array(v.string()),
	prediction: v.nullable(v.string()),
	findings: v.array(v.object({ rule: v.string(), verdict: v.string() }))
});

/** `GET classes/<code>/export`. */
export const classExport = v.object({
	format: v.literal('tollgate-class'),
	version: v.literal(1),
	name: v.string(),
	created: instant,
	exported: instant,
	seats: v.array(exportedSeat),
	/** Of each step that at least five seats were in. */
	medians: v.array(v.object({ lesson: v.string(), step: v.number(), minutes: v.number() }))
});

export type BoardRow = v.InferOutput<typeof boardRow>;
export type ClassView = v.InferOutput<typeof classView>;
export type ClassBoard = v.InferOutput<typeof classBoard>;
export type ExportedSeat = v.InferOutput<typeof exportedSeat>;
export type ClassExport = v.InferOutput<typeof classExport>;
