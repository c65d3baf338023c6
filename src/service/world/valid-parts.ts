import * as v from 'valibot';
import { worldFile, type WorldFile } from '#api/world/world-file.ts';

/** The parts of a world file that the schema accepts, while others have mistakes. */
export type ValidParts = {
	readonly file: WorldFile;
	/**
	 * The place in the whole file. Undefined where a part that is left out decides whether it is a mistake.
	 * @param place in `file`
	 */
	readonly placeOf: (place: string) => string | undefined;
};

/** Mistakes of a place depend on another section. */
const dependencies: readonly (readonly [place: RegExp, section: string])[] = [
	[/^characters\.\d+\.player$/, 'accounts'],
	[/^permissions\.\d+\.opens\./, 'characters'],
	[/^(?:viewer\.shows|resource\.fields)\./, 'characters'],
	[/^(?:viewer|companion)\./, 'applications'],
	[/^kinds\.\d+\.name$/, 'permissions'],
	[/^kinds\.\d+\.records\.\d+\.owner$/, 'accounts'],
	[/^characters$/, 'sandboxes']
];
/** Lists of items that others refer to by one field, which is required. */
const namedLists = new Set(['permissions', 'accounts', 'characters']);

/**
 * Leaves out what the schema rejects: fields, else their items, else their sections.
 * @param content of the file
 * @returns undefined where nothing usable is left
 */
export function validPartsOf(content: object): ValidParts | undefined {
	const parts: Record<string, unknown> = { ...content, format: 'tollgate-world', version: 1 };
	const doubtful = new Set<string>();
	const indices = new Map<string, number[]>();
	for (const depth of [3, 2, 1, 0]) {
		const { success, output, issues = [] } = v.safeParse(worldFile, parts, { abortPipeEarly: true });
		if (success) return { file: output, placeOf: (place) => originalPlace(place, doubtful, indices) };
		for (const { path = [] } of issues) {
			const place = path.slice(0, depth).map(({ key }) => String(key));
			const [section = '', , field] = place;
			const isNameKept = place.length === 3 && namedLists.has(section) && field !== 'fields';
			if (!isNameKept) doubtful.add(section);
			leaveOut(parts, place);
		}
		for (const [section, items] of Object.entries(parts)) {
			if (!Array.isArray(items) || !items.includes(undefined)) continue;
			const left = items.flatMap((item, at) => (item === undefined ? [] : [at]));
			const known = indices.get(section);
			indices.set(
				section,
				left.map((at) => known?.[at] ?? at)
			);
			parts[section] = left.map((at): unknown => items[at]);
		}
	}
	return undefined;
}

/** Removes a part. What contains it is copied, because it belongs to the caller. An item of a list leaves a gap. */
function leaveOut(parent: object, [name = '', ...rest]: readonly string[]): void {
	const part: unknown = Reflect.get(parent, name);
	if (rest.length === 0 || typeof part !== 'object' || part === null) {
		Reflect.deleteProperty(parent, name);
		return;
	}
	const copy = Array.isArray(part) ? Object.assign<unknown[], unknown>([], part) : { ...part };
	Reflect.set(parent, name, copy);
	leaveOut(copy, rest);
}

function originalPlace(
	place: string,
	doubtful: ReadonlySet<string>,
	indices: ReadonlyMap<string, readonly number[]>
): string | undefined {
	if (dependencies.some(([pattern, section]) => doubtful.has(section) && pattern.test(place))) return undefined;
	const [section = '', index = '', ...rest] = place.split('.');
	const original = indices.get(section)?.[Number(index)];
	return original === undefined ? place : [section, String(original), ...rest].join('.');
}
