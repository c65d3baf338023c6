import type { FileMistake } from '#lib/file/read-json.ts';
import { checkRows } from '#api/check-table/check-table.ts';
import { wholeDialect } from '#api/providers/dialect-schema.ts';
import { providerFile, type ProviderFile } from '#api/providers/provider-file.ts';
import { covers, factsOf, providerMistakes } from '#api/providers/provider-mistakes.ts';
import { harOf } from '#evidence/har/providers/provider-har.ts';
import type { Kind } from './content-kind.ts';

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
		...countMistakes(file),
		...providerMistakes(file, checkRows)
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
	const places = factsOf(dialect);
	const shown = sources.flatMap(({ facts }) => facts);
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

function countMistakes({ surprises, extends: from }: ProviderFile): FileMistake[] {
	if (from === undefined || surprises.length >= 4) return [];
	return [{ place: 'surprises', reason: `Describe at least four. Found ${surprises.length}.` }];
}
