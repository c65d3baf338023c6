import * as v from 'valibot';
import { fleetWaves } from './class-fleet.ts';
import { declare } from '../declare.ts';
import { isPagePath } from '../page-path.ts';
import { classBoard, classExport, classView } from './board.ts';
import { deleted, instant, whole } from './fields.ts';
import { maxLessonFile, maxOwnLessons, sentLessons } from './own-lessons.ts';
import { maxPresetBytes, preset } from './preset.ts';
import {
	changedSeat,
	classEntrance,
	joinedSeat,
	courseId,
	maxGroups,
	maxSeats,
	newSeat,
	notice,
	seatChange,
	seatProgram
} from './seats.ts';

/** The most classes of a server at a time. */
export const maxClasses = 10;
/** The letters and digits of a class code. None looks like another one. */
export const codeAlphabet = '23456789BCDFGHJKMNPQRSTVWXZ';
/** How long a class is open, in hours, and how long at most. */
export const classHours = { usual: 8, most: 24 } as const;
/** The longest timer of an exercise, in seconds. */
export const longestTimer = 3 * 60 * 60;
/** How long the pages of a class are paused at most, in milliseconds. */
export const longestClassPause = 5 * 60_000;

const className = v.pipe(v.string(), v.trim(), v.minLength(1, 'This field is required.'), v.maxLength(60));
const hours = whole(1, classHours.most);
/** Of all lessons, exercises and labs. */
const lessons = v.pipe(v.array(courseId), v.maxLength(60, 'A class can have at most 60 lessons, exercises and labs.'));

/** `POST classes`. */
export const newClass = v.strictObject({
	name: className,
	seats: whole(1, maxSeats),
	/** The ids of lessons, exercises and labs, in their order. */
	lessons: v.exactOptional(lessons),
	preset: v.exactOptional(preset),
	/** Lesson files, which `lessons` names as `own-` and their id. */
	own_lessons: v.exactOptional(sentLessons),
	/** Whether labs show their steps. Absent: as each student chooses. */
	guided: v.exactOptional(v.boolean()),
	/** How long the class is open. */
	hours: v.exactOptional(hours)
});

/** The response. The key is shown once. */
export const createdClass = v.object({
	code: v.string(),
	key: v.string(),
	join_url: v.string(),
	/** The key is in its fragment, after `#class=`. */
	board_url: v.string(),
	expires: instant
});

/** `PATCH classes/<code>`. */
export const classChange = v.strictObject({
	/** Whether no further students can join. */
	is_locked: v.exactOptional(v.boolean()),
	/** Covers the pages of the seats for five minutes at most. The service of the seats continues. */
	paused: v.exactOptional(v.boolean()),
	lessons: v.exactOptional(lessons),
	/** How long the class is open from now on. */
	hours: v.exactOptional(hours),
	/** How many groups the class has. 0: none. */
	groups: v.exactOptional(whole(0, maxGroups)),
	/** When the timer of the current exercise ends, in seconds from now. 0: without a timer. */
	timer: v.exactOptional(whole(0, longestTimer)),
	/** `true`: a new fleet, in place of the one before. `false`: none. */
	fleet: v.exactOptional(v.boolean())
});

/** `POST classes/<code>/waves`. */
export const newWave = v.strictObject({
	/** The next one, from 1. */
	number: whole(1, fleetWaves)
});

/** The response to `POST classes/<code>/readers`. The key is shown once. */
export const createdReader = v.object({
	/** The key is in its fragment, after `#class=`. */
	board_url: v.string()
});

/** `POST classes/<code>/notices`. */
export const newNotice = v.strictObject({
	text: v.pipe(
		v.string(),
		v.trim(),
		v.minLength(1, 'This field is required.'),
		v.maxLength(200, 'Enter at most 200 characters.')
	),
	/** A path of this server. */
	link: v.exactOptional(
		v.pipe(v.string(), v.maxLength(200), v.check(isPagePath, 'Use a path of this server, such as /docs.'))
	),
	/** The numbers of seats. Absent: all. */
	seats: v.exactOptional(v.pipe(v.array(whole(1, maxSeats)), v.minLength(1), v.maxLength(maxSeats)))
});

const byInstructor = 'The key of the class is missing or wrong.';
const unknownClass = 'No class has this code, or it has ended.';
const errors = { 403: byInstructor, 404: unknownClass, 429: 'Too many unknown codes.' } as const;

export const classesApi = declare({
	'POST /control/classes': {
		id: 'openClass',
		tag: 'Classes',
		// A preset, a name, lessons and their files.
		bodyLimit: maxPresetBytes + maxOwnLessons * maxLessonFile + 4 * 1024,
		summary: 'Open a class',
		description:
			'Opens a class: `{"name","seats","lessons","own_lessons","guided","preset","hours"}`, with 8 hours by default and 24 at most. Returns 201 with its `code`, its `key`, `join_url` and `board_url`. The key is shown once. The browser that sends the request also gets the key as a cookie. At the root only, on a server with `CLASS_SEATS`.',
		body: { schema: newClass, example: { name: 'OAuth workshop', seats: 30 } },
		responses: { 201: { description: 'The class.', json: createdClass, headers: ['Set-Cookie'] } },
		errors: {
			404: 'This request works at the root sandbox only.',
			409: 'The server has no classes, or no seats left.'
		}
	},
	'GET /control/classes/{code}': {
		id: 'readClass',
		tag: 'Classes',
		access: 'class',
		summary: 'Read a class',
		description: 'Returns the class, and one of the `rows` of its board for each seat.',
		responses: { 200: { description: 'The class and its rows.', json: classBoard } },
		errors
	},
	'PATCH /control/classes/{code}': {
		id: 'changeClass',
		tag: 'Classes',
		access: 'class',
		summary: 'Change a class',
		description:
			'Changes `is_locked`, `paused`, `lessons`, `groups`, `timer`, `fleet`, or `hours`, counted from now. `timer` is in seconds from now. A locked class accepts no further students. `paused` covers the pages of the seats for five minutes at most.',
		body: { schema: classChange, example: { is_locked: true } },
		responses: { 200: { description: 'The class.', json: classView } },
		errors
	},
	'DELETE /control/classes/{code}': {
		id: 'endClass',
		tag: 'Classes',
		access: 'class',
		summary: 'End a class',
		description: 'Ends the class and deletes its seats with their data.',
		destroys: true,
		responses: { 200: { description: 'It has ended.', json: deleted } },
		errors
	},
	'POST /control/classes/{code}/owner': {
		id: 'becomeInstructor',
		tag: 'Classes',
		access: 'class',
		summary: 'Control this class from a browser',
		description:
			'Sets the cookie that lets this browser control the class and the sandboxes of its seats. With the key of a co-instructor it only reads the board. Send the key in `X-Tollgate-Key`.',
		responses: { 200: { description: 'The class.', json: classView } },
		errors
	},
	'POST /control/classes/{code}/readers': {
		id: 'createReader',
		tag: 'Classes',
		access: 'class',
		summary: 'Create a link for co-instructors',
		description:
			'Returns 201 with `board_url`, a link to the board with a key that only reads it. The link before it stops working.',
		responses: { 201: { description: 'The link.', json: createdReader } },
		errors
	},
	'POST /control/classes/{code}/waves': {
		id: 'startWave',
		tag: 'Classes',
		access: 'class',
		summary: 'Start a wave of the fleet',
		description:
			'Starts the next wave with what the seats chose, and returns the class. Pages simulate the wave from its `seed`, `limit` and `groups`. A wave that was started already is not started again.',
		body: { schema: newWave, example: { number: 1 } },
		responses: { 200: { description: 'The class.', json: classView } },
		errors: { ...errors, 404: 'The class has no fleet, or no class has this code.' }
	},
	'GET /control/classes/{code}/seats': {
		id: 'readEntrance',
		tag: 'Classes',
		access: 'everybody',
		summary: 'Read what joining a class means',
		description: 'Returns `name`, `expires`, `is_locked` and `is_full`.',
		responses: { 200: { description: 'The class as a student sees it.', json: classEntrance } },
		errors: { 404: unknownClass, 429: 'Too many unknown codes.' }
	},
	'POST /control/classes/{code}/seats': {
		id: 'joinClass',
		tag: 'Classes',
		access: 'everybody',
		summary: 'Join a class',
		description:
			'Creates a seat: a sandbox with a generated `label`. Returns 201 with `seat`, `label`, `base_url`, `key` and the secrets of its `applications`. The key and the secrets are shown once. The browser that sends the request also gets the key as a cookie. With the `return_code` of an earlier seat, its lessons are done already.',
		body: { schema: newSeat, optional: true, example: {} },
		responses: { 201: { description: 'The seat.', json: joinedSeat, headers: ['Set-Cookie'] } },
		errors: {
			403: 'The class is locked, or the request was sent by a page of another site.',
			404: unknownClass,
			409: 'The class is full.',
			429: 'Too many unknown codes.'
		}
	},
	'PATCH /control/classes/{code}/seats/{seat}': {
		id: 'changeSeat',
		tag: 'Classes',
		access: 'class',
		summary: 'Change a seat',
		description:
			'By the key of the seat: `{"label":true}` for another label, `progress`, `hand`, `{"presence":true}` while a page is open, `policy` for the next wave of a fleet, and `{"program":{"lesson","text"}}`, which shows a program of the student to the instructor until `{"program":null}`. A seat can send 30 changes in 10 seconds. By the key of the class: `{"hand":false}`, `group`, `note`, `helped`, and `{"released":true}`, which returns a `link` with a new key and ends the old keys. A note is not shown to the student.',
		body: { schema: seatChange, example: { hand: true } },
		responses: { 200: { description: 'The seat.', json: changedSeat } },
		errors: {
			...errors,
			403: 'The key is not the one that this change needs.',
			429: 'Too many unknown codes, or too many changes of this seat.'
		}
	},
	'GET /control/classes/{code}/seats/{seat}/program': {
		id: 'readSeatProgram',
		tag: 'Classes',
		access: 'class',
		summary: 'Read the program that a student shows',
		description: 'Returns the program of an exercise that the student chose to show. It is deleted with the seat.',
		responses: { 200: { description: 'The program.', json: seatProgram } },
		errors: { ...errors, 404: 'The student shows no program, or no class has this code.' }
	},
	'DELETE /control/classes/{code}/seats/{seat}': {
		id: 'removeSeat',
		tag: 'Classes',
		access: 'class',
		summary: 'Remove a seat',
		description: 'Deletes the seat with its sandbox. The next student gets its number.',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors
	},
	'POST /control/classes/{code}/notices': {
		id: 'sendNotice',
		tag: 'Classes',
		access: 'class',
		summary: 'Send a notice',
		description:
			'Shows a text of at most 200 characters on the pages of `seats`, or of all. `link` is a path of this server. The class keeps the last 20.',
		body: { schema: newNotice, example: { text: 'Look at step 3 again.', link: '/docs/errors' } },
		responses: { 201: { description: 'The notice.', json: notice } },
		errors
	},
	'GET /control/classes/{code}/stream': {
		id: 'streamClass',
		tag: 'Classes',
		access: 'class',
		summary: 'Follow a class',
		description:
			'Sends server-sent events, at most four a second: `class` with the class, `rows` with the rows that changed, as `{"since","rows","removed"}`. The first `rows` has all. `removed` has the numbers of seats that are gone. `ended` is the last event. `?page=wall` says that the page is a wall.',
		query: v.object({ page: v.optional(v.picklist(['wall'])) }),
		responses: { 200: { description: 'The events.', events: true } },
		errors: { ...errors, 409: 'Too many streams are open.' }
	},
	'GET /control/classes/{code}/export': {
		id: 'exportClass',
		tag: 'Classes',
		access: 'class',
		summary: 'Export a class',
		description:
			'Returns the results of the class as JSON, with `?format=csv` as CSV, or with `?format=xapi` as statements of xAPI. It contains no address, no value of a request and no text of a student.',
		query: v.object({ format: v.optional(v.string()) }),
		responses: {
			200: { description: 'The results.', json: classExport, headers: ['Content-Disposition'] }
		},
		errors
	}
});

export type NewClass = v.InferInput<typeof newClass>;
export type CreatedClass = v.InferOutput<typeof createdClass>;
export type ClassChange = v.InferOutput<typeof classChange>;
