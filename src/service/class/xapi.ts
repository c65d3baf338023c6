import type { ClassExport, ExportedSeat } from '#api/control/board.ts';

/** Where statements are about, and what makes their ids. */
export type StatementSource = {
	readonly code: string;
	/** Of the server. */
	readonly origin: string;
	readonly digest: (text: string) => string;
	/** The title of a lesson, an exercise or a lab. */
	readonly titleOf: (id: string) => string;
};

const verbs = {
	attended: 'http://adlnet.gov/expapi/verbs/attended',
	attempted: 'http://adlnet.gov/expapi/verbs/attempted',
	completed: 'http://adlnet.gov/expapi/verbs/completed'
} as const;
const activityTypes = {
	class: 'http://adlnet.gov/expapi/activities/course',
	lesson: 'http://adlnet.gov/expapi/activities/lesson'
} as const;

/**
 * The results of a class as statements of xAPI 1.0.3. An actor is the account of a seat, without a name. The id follows from the
 * content, so a record store knows a statement that it has already.
 */
export function toStatements({ name, created, exported, seats }: ClassExport, source: StatementSource): object[] {
	const { code, origin, titleOf } = source;
	const ofClass = {
		id: `${origin}/class/${code}`,
		objectType: 'Activity',
		definition: { type: activityTypes.class, name: { 'en-US': name } }
	};
	const statement = (seat: ExportedSeat, verb: keyof typeof verbs, parts: { object: object; timestamp: number }) => {
		const { timestamp, ...others } = parts;
		return withId(
			{
				actor: {
					objectType: 'Agent',
					account: { homePage: origin, name: `class-${code}-${created}-seat-${seat.seat}` }
				},
				verb: { id: verbs[verb], display: { 'en-US': verb } },
				...others,
				timestamp: new Date(timestamp).toISOString()
			},
			source
		);
	};
	const inClass = { context: { platform: 'Tollgate', contextActivities: { parent: [ofClass] } } };
	const ofLesson = (id: string) => ({
		// Exercises and labs have their folder in the id.
		id: `${origin}/${id.includes('/') ? id : `learn/${id}`}`,
		objectType: 'Activity',
		definition: { type: activityTypes.lesson, name: { 'en-US': titleOf(id) } }
	});
	return seats.flatMap((seat) => {
		const { done, done_at, lesson, active_minutes, started, shown, of } = seat;
		const result = { duration: `PT${active_minutes}M` };
		return [
			statement(seat, 'attended', { ...{ object: ofClass, result }, timestamp: exported }),
			...done.map((id) =>
				statement(seat, 'completed', {
					...{ object: ofLesson(id), result: { completion: true }, ...inClass },
					timestamp: done_at[id] ?? started
				})
			),
			...(lesson === null || done.includes(lesson)
				? []
				: [
						statement(seat, 'attempted', {
							...{ object: ofLesson(lesson), result: { score: { raw: shown, min: 0, max: of } }, ...inClass },
							timestamp: exported
						})
					])
		];
	});
}

/** With a UUID of version 8 (RFC 9562, section 5.8). */
function withId(statement: object, { digest }: Pick<StatementSource, 'digest'>): object {
	const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
	const hex = [...digest(JSON.stringify(statement))].map((one) => (alphabet.indexOf(one) & 15).toString(16)).join('');
	const id = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
	return { id: id.join('-'), ...statement };
}
