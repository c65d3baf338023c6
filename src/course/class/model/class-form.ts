import { classHours } from '#api/control/classes.ts';
import { readDuration } from '#lib/typed-duration.ts';

/** What is typed in the form of a class. */
type TypedClass = Readonly<Record<'name' | 'seats' | 'hours' | 'lifetime' | 'limit', string>>;

/**
 * All mistakes of the form of a class at once, each with its field.
 * @param most the seats of the server
 * @param isNew whether its seats start as new sandboxes: only then lifetime and limit count
 */
export function mistakesOf(
	{ name, seats, hours, lifetime, limit }: TypedClass,
	most: number,
	isNew: boolean
): (readonly [field: keyof TypedClass, message: string])[] {
	const found = {
		name: name.trim() === '' && 'Enter a name.',
		seats: !isWhole(seats, most) && `Enter a whole number from 1 to ${most}.`,
		hours: !isWhole(hours, classHours.most) && `Enter a whole number from 1 to ${classHours.most}.`,
		lifetime: isNew && readDuration(lifetime) === undefined && 'Enter a duration, for example 10 min.',
		limit: isNew && !isWhole(limit, Infinity) && 'Enter a whole number from 1.'
	};
	return (['name', 'seats', 'hours', 'lifetime', 'limit'] as const).flatMap((field) => {
		const message = found[field];
		return message === false ? [] : [[field, message] as const];
	});
}

/** An empty field is 0, which is none. */
function isWhole(typed: string, most: number): boolean {
	const value = Number(typed);
	return Number.isInteger(value) && value >= 1 && value <= most;
}
