import type { FileMistake } from '#lib/file/read-json.ts';
import { checkRows } from '#api/check-table/check-table.ts';
import { wholeDialect } from '#api/providers/dialect-schema.ts';
import { providerFile, type ProviderFile } from '#api/providers/provider-file.ts';
import { harOf } from '#evidence/har/providers/provider-har.ts';
import { isObject, type Kind } from './content-kind.ts';

/** The dialects of providers. Each fact has a source, and each surprise a fact and a check. */
export const providerKind: Kind<ProviderFile> = {
	schema: providerFile,
	about: ['title', 'short', 'owner'],
	apart: [],
	derived: ({ surprises, differences = [] }) => ({ count: surprises.length + differences.length }),
	parts: (file) => ({ har: harOf(file) }),
	check: (file) => [
		...missingParts(file),
		...sourceMistakes(file),
		...surpriseMistakes(file),
		...endpointMistakes(file)
	]
};

/** What a dialect lacks that extends no other one. */
function missingParts({ extends: from, dialect }: ProviderFile): FileMistake[] {
	if (from !== undefined) return [];
	return Object.keys(wholeDialect.entries)
		.filter((name) => !(name in dialect))
		.map((name) => ({ place: 'dialect', reason: `Add ${name}, or extends: standard. Found neither.` }));
}

/** Facts without a source, and sources of facts that are not there. */
function sourceMistakes({ dialect, sources }: ProviderFile): FileMistake[] {
	const places = placesIn(dialect);
	const shown = sources.flatMap(({ facts }) => facts);
	const covers = (fact: string, place: string) => place === fact || place.startsWith(`${fact}.`);
	return [
		...places
			.filter((place) => !shown.some((fact) => covers(fact, place)))
			.map((place) => ({
				place: `dialect.${place}`,
				reason: 'Name a source that shows it, in the facts of one of sources. Found none.'
			})),
		...sources.flatMap(({ facts }, at) =>
			facts.flatMap((fact, index) =>
				places.some((place) => covers(fact, place) || covers(place, fact))
					? []
					: { place: `sources.${at}.facts.${index}`, reason: `Use a place in dialect. Found "${fact}".` }
			)
		)
	];
}

/** The places of the facts: a name, or a name of an object. What a template contains is one fact. */
function placesIn(value: object, depth = 0): string[] {
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
		const isGroup =
			isObject(part) && depth < 2 && name !== 'body' && name !== 'refreshBody' && Object.keys(part).length > 0;
		return isGroup ? placesIn(part, depth + 1).map((place) => `${name}.${place}`) : [name];
	});
}

function surpriseMistakes({ dialect, surprises, extends: from }: ProviderFile): FileMistake[] {
	const places = placesIn(dialect);
	const few = from !== undefined && surprises.length < 4;
	return [
		...(few ? [{ place: 'surprises', reason: `Describe at least four. Found ${surprises.length}.` }] : []),
		...surprises.flatMap(({ fact, check }, at) => [
			...(places.some((place) => place === fact || place.startsWith(`${fact}.`) || fact.startsWith(`${place}.`))
				? []
				: [{ place: `surprises.${at}.fact`, reason: `Use a place in dialect. Found "${fact}".` }]),
			...(check in checkRows
				? []
				: [
						{
							place: `surprises.${at}.check`,
							reason: `Use the id of a check of src/api/check-table. Found "${check}".`
						}
					])
		])
	];
}

/** Below `/as/NAME` the paths of all hosts of a provider are one list, so a path belongs to one host. */
function endpointMistakes({ dialect: { endpoints = [] } }: ProviderFile): FileMistake[] {
	const paths = endpoints.map(({ url }) => url.replace(/^https:\/\/[^/]*/, ''));
	return paths.flatMap((path, at) =>
		paths.indexOf(path) === at
			? []
			: { place: `dialect.endpoints.${at}.url`, reason: `Write each path once. Found "${path}" twice.` }
	);
}
