import type * as v from 'valibot';
import { classesApi, type CreatedClass, type newClass } from '#api/control/classes.ts';
import { ownLessonPrefix, ownLessonsApi } from '#api/control/own-lessons.ts';
import { type LessonFile, withoutNotes } from '#evidence/lesson-file/instructor-lesson.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { requireSameOrigin, setCookie } from '../access/cookies.ts';
import { controls, findClass, findOwnClass, findReadClass, rightsAt } from '../class/class-access.ts';
import { classView, seatStatus } from '../class/class-views.ts';
import type { ClassReports } from '../class/class-reports.ts';
import type { SeatToExport } from '../class/export-class.ts';
import { base64url } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { respondEvents, respondJson, respondText } from '../core/responses.ts';
import { rootSandbox } from '../core/target.ts';
import type { ClassRecord } from '../sandbox/class-records.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import {
	beginWave,
	boardUrl,
	changeClass,
	changeSeat,
	createReader,
	endClass,
	join,
	removeSeat,
	seatNumber,
	sendNotice,
	unknownSeat
} from './change-class.ts';
import { type ControlContext, implement } from './control-endpoint.ts';
import { validatePreset } from './prepare-sandbox.ts';
import { Classes, type ClassService } from '../class/classes.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { Endpoint } from '../core/runner.ts';
import { purgeSeats } from '../class/seats.ts';

/** How many entries of a log the export reads. */
const mostEntries = 500;

type Body<S extends v.GenericSchema> = { readonly body: v.InferOutput<S> };

/** Classes and their seats. Those of a class that is unknown or has ended respond with 404. */
function classesEndpoints(registry: SandboxRegistry, reports: ClassReports) {
	const feeds = reports.openFeeds((id) => registry.find(id));
	const viewOf = async ({ classes, options }: ControlContext, code: string, record: ClassRecord) =>
		classView(code, record, await classes.seats(code), feeds.boards(code), options.origin, options.now());
	return implement(classesApi, {
		'POST /control/classes': (context, input) => {
			const own = reports.checkLessons(input.body.own_lessons ?? []);
			if ('mistake' in own) throw new ProtocolError('invalid_request', own.mistake);
			requireKnown(reports, input.body.lessons, own);
			return open(context, input, own);
		},
		'GET /control/classes/{code}': async (context, { path }) => {
			const { code, record, role } = await findReadClass(context, path.code);
			const board = await feeds.read(context, code);
			return { ...(await viewOf(context, code, record)), role, ...board };
		},
		'PATCH /control/classes/{code}': async (context, { body, path }) => {
			const { code } = await findOwnClass(context, path.code);
			requireKnown(reports, body.lessons, await context.classes.lessons.find(code));
			return viewOf(context, code, await changeClass(context, registry, code, body));
		},
		'DELETE /control/classes/{code}': async (context, { path }) => {
			const { code } = await findOwnClass(context, path.code);
			await endClass(context, registry, code);
			return { deleted: code };
		},
		'POST /control/classes/{code}/owner': async (context, { path }) => {
			requireSameOrigin(context);
			const { code, record, role } = await findReadClass(context, path.code);
			const key = context.header('x-tollgate-key');
			const known = role === 'instructor' ? record.key : record.readerKey;
			// The link of a co-instructor takes no rights from the browser of the instructor.
			const keepsCookie = role === 'co_instructor' && controls(context, code, record);
			if (key !== undefined && context.options.digest(key) === known && !keepsCookie)
				setCookie(context, code, 'class', key);
			return viewOf(context, code, record);
		},
		'POST /control/classes/{code}/readers': async (context, { path }) => {
			const { code } = await findOwnClass(context, path.code);
			return createReader(context, code);
		},
		'POST /control/classes/{code}/waves': async (context, { body, path }) => {
			const { code } = await findOwnClass(context, path.code);
			return viewOf(context, code, await beginWave(context, registry, code, body.number));
		},
		'GET /control/classes/{code}/seats': async (context, { path }) => {
			const { code, record } = await findClass(context, path.code);
			const { name, expires, isLocked, seats } = record;
			const { classes } = context;
			const isFull = (await classes.seats(code)).length >= seats && (await classes.findUnused(code)) === undefined;
			return { name, expires, is_locked: isLocked, is_full: isFull };
		},
		'POST /control/classes/{code}/seats': (context, { path, body }) => {
			const sent = body.return_code ?? '';
			const earlier = sent === '' ? undefined : reports.readReturnCode(sent, context.options.digest);
			return join(context, registry, path.code, earlier);
		},
		'PATCH /control/classes/{code}/seats/{seat}': async (context, { body, path }) => {
			const ids = [body.progress, body.program].flatMap((sent) => sent?.lesson ?? []);
			const isOwn = ids.some((id) => id.startsWith(ownLessonPrefix));
			requireKnown(reports, ids, isOwn ? await context.classes.lessons.find(path.code) : []);
			return changeSeat(context, registry, path, body);
		},
		'GET /control/classes/{code}/seats/{seat}/program': async (context, { path }) => {
			const { code } = await findOwnClass(context, path.code);
			const found = await context.classes.programs.find(code, seatNumber(path.seat));
			if (found === undefined) throw new ProtocolError('not_found', 'The student of this seat shows no program.');
			const { lesson, text, shown } = found;
			return { lesson, text, shown_at: shown };
		},
		'DELETE /control/classes/{code}/seats/{seat}': async (context, { path }) => {
			const { code } = await findOwnClass(context, path.code);
			const number = seatNumber(path.seat);
			const seat = await context.classes.seat(code, number);
			if (seat === undefined) throw unknownSeat();
			await removeSeat(context.classes, registry, code, number, seat.sandbox);
			return { deleted: path.seat };
		},
		'POST /control/classes/{code}/notices': async (context, { body, path }) => {
			const { code } = await findOwnClass(context, path.code);
			return sendNotice(context, registry, code, body);
		},
		'GET /control/classes/{code}/stream': async (context, { path }) => {
			const { code, role } = await findReadClass(context, path.code);
			const isWall = new FormFields(context.query).get('page') === 'wall';
			return respondEvents(feeds.open(context, code, isWall ? 'wall' : role));
		},
		'GET /control/classes/{code}/export': async (context, { path }) => {
			const { code, record } = await findOwnClass(context, path.code);
			const format = new FormFields(context.query).get('format') ?? 'json';
			if (format !== 'json' && format !== 'csv' && format !== 'xapi')
				throw new ProtocolError('invalid_request', 'format must be json, csv or xapi.');
			const seats = await seatsToExport(context, registry, code);
			const { exportClass, toCsv, toStatements } = reports;
			const exported = exportClass(record, seats, context.options.now());
			const disposition = [
				'Content-Disposition',
				`attachment; filename="class-${code}.${format === 'xapi' ? 'xapi.json' : format}"`
			];
			const { origin, digest } = context.options;
			if (format === 'xapi') {
				const own = await context.classes.lessons.find(code);
				return respondJson(context, 200, toStatements(exported, { code, origin, digest }, own), disposition);
			}
			return format === 'csv'
				? respondText(context, 200, 'text/csv; charset=utf-8', toCsv(exported), disposition)
				: respondJson(context, 200, exported, disposition);
		}
	});
}

/**
 * A host without classes rejects the request anyway.
 * @throws ProtocolError `invalid_request`
 */
function requireKnown(reports: ClassReports, ids: readonly string[] = [], own: readonly LessonFile[] = []): void {
	const unknown = ids.find((id) => !reports.isKnown(id, own));
	if (unknown !== undefined)
		throw new ProtocolError('invalid_request', `No lesson, exercise or lab has the id ${unknown}.`);
}

async function seatsToExport(
	{ classes }: ControlContext,
	registry: SandboxRegistry,
	code: string
): Promise<SeatToExport[]> {
	const seats: SeatToExport[] = [];
	await classes.counts.save();
	for (const [number, seat] of await classes.seats(code)) {
		const sandbox = await registry.find(seat.sandbox);
		seats.push({ number, seat, exchanges: (await sandbox?.traffic.after(0, mostEntries)) ?? [] });
	}
	return seats;
}

/** `POST classes`. A preset that cannot be used opens nothing. */
async function open(
	context: ControlContext,
	{ body }: Body<typeof newClass>,
	own: readonly LessonFile[]
): Promise<CreatedClass> {
	requireRootSandbox(context);
	requireSameOrigin(context);
	const { name, lessons = [], preset, own_lessons: _, ...plan } = body;
	if (preset !== undefined) validatePreset(context, preset);
	const { options } = context;
	const key = context.redact(base64url(options.random(32)));
	const { code, record } = await context.classes.open({
		...plan,
		name: sanitizeText(name, 60),
		lessons,
		key: options.digest(key),
		...(preset === undefined ? {} : { preset })
	});
	if (own.length > 0) await context.classes.lessons.set(code, own, record.expires);
	setCookie(context, code, 'class', key);
	const { expires } = record;
	const board_url = boardUrl(options.origin, code, key);
	return { code, key, join_url: `${options.origin}/join/${code}`, board_url, expires };
}

function requireRootSandbox(context: ControlContext): void {
	if (context.sandbox.id === rootSandbox) return;
	throw new ProtocolError('not_found', 'This request works at the root sandbox only.');
}

/** The endpoints of classes, and of the exercises that instructors wrote. */
export type ClassEndpoints = Readonly<Record<keyof typeof classesApi | keyof typeof ownLessonsApi, Endpoint>>;

/** Opens the classes of a service. `purge` stores what waits, and deletes seats whose joining failed. */
export type OpenClasses = (
	registry: SandboxRegistry,
	options: ServiceOptions
) => ClassService & { readonly endpoints: ClassEndpoints; purge(): Promise<void> };

/** The classes of a host that has them. Other hosts import nothing of this, and have `noClasses`. */
export function withClasses(reports: ClassReports): OpenClasses {
	return (registry, options) => {
		const classes = new Classes(registry.root.store, options);
		return {
			classes,
			endpoints: { ...classesEndpoints(registry, reports), ...ownLessonsEndpoints(reports) },
			statusOf: (seat) => seatStatus(classes, seat, options),
			purge: () => purgeSeats(classes, registry)
		};
	};
}

/** The lesson files of the server and of a class. */
function ownLessonsEndpoints(reports: ClassReports) {
	return implement(ownLessonsApi, {
		'GET /control/lessons': async (context) => {
			const ofServer = reports.lessons;
			const sent = new FormFields(context.query).get('class_code');
			if (sent === undefined) return { files: ofServer.map(withoutNotes) };
			const { code, record } = await findClass(context, sent);
			const { isInstructor, isReader } = await rightsAt(context, code, record);
			const ofClass = await context.classes.lessons.find(code);
			const all = [...ofClass, ...ofServer.filter(({ id }) => ofClass.every((one) => one.id !== id))];
			return { files: isInstructor || isReader ? all : all.map(withoutNotes) };
		}
	});
}
