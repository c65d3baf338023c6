// The files of src/content whose records code imports, which lessons, labs and exercises are checked with. So it imports no content.
import * as v from 'valibot';
import {
	causeRecord,
	checkRecord,
	checkTitleParts,
	loggedParts,
	type CheckRecord
} from '#api/check-table/check-record.ts';
import type { CheckRow } from '#api/check-table/check-row.ts';
import { checkFiles, checkRows, sharedCauses } from '#api/check-table/check-table.ts';
import { findingRecord } from '#evidence/har/findings/finding-record.ts';
import { ruleRecord, ruleTextParts, type RuleRecord } from '#evidence/rule-record.ts';
import { ruleCodes } from '#evidence/rules/rule-codes.ts';
import { historyCauses, soughtKinds } from '#features/inspector/value-history.ts';
import type { FileMistake } from '#lib/file/read-json.ts';
import { nameMistakes, type ContentSource, type Kind } from './content-kind.ts';
import { readerOf, readFolders } from './content-reader.ts';

type Records<Of> = Readonly<Record<string, Of>>;

/** The rules of the exam, a file for each area. */
const ruleKind: Kind<Records<RuleRecord>> = {
	schema: v.record(v.string(), ruleRecord),
	about: ruleTextParts,
	apart: [],
	hasRecords: true,
	groups: { har: ['har'] },
	check: (records, area) =>
		nameMistakes(
			'',
			Object.keys(records),
			ruleCodes.flatMap(({ id }) => (id.startsWith(`${area}.`) ? id : []))
		)
};

/** What is found in files of other providers. The name of a file begins the ids of its records. */
const findingKind: Kind<Records<unknown>> = {
	schema: v.record(v.string(), findingRecord),
	about: [],
	apart: [],
	hasRecords: true,
	check: (records, kind) =>
		Object.keys(records).flatMap((id): FileMistake[] =>
			id.startsWith(`${kind}.`) ? [] : [{ place: id, reason: `Begin the id with "${kind}.". Found "${id}".` }]
		)
};

const groups = { logged: loggedParts, mistakes: ['mistakes'] };

/** The checks of the service, a file for each table of `src/api/check-table`. */
const checkKind: Kind<Records<CheckRecord>> = {
	schema: v.record(v.string(), checkRecord),
	about: checkTitleParts,
	apart: [],
	hasRecords: true,
	groups,
	// A page needs no more of the table.
	added: {
		logged: (id) => {
			const { reads, setBy } = rows.get(id) ?? {};
			return { ...(reads && { reads }), ...(setBy && { setBy }) };
		}
	},
	check(records, file) {
		const codes = new Map<string, object>(Object.entries(checkFiles)).get(file) ?? {};
		return [
			...nameMistakes('', Object.keys(records), Object.keys(codes)),
			...Object.entries(records).flatMap(([id, record]) => {
				const row = rows.get(id);
				return row === undefined ? [] : checkMistakes(id, record, row);
			})
		];
	}
};
const rows = new Map<string, CheckRow>(Object.entries(checkRows));
const sought = new Map<string, keyof typeof historyCauses>(Object.entries(soughtKinds));

/** The causes that any check can have. */
const sharedKind: Kind<Records<unknown>> = {
	schema: v.record(v.string(), causeRecord),
	about: checkTitleParts,
	apart: [],
	hasRecords: true,
	groups,
	check: (records) => nameMistakes('', Object.keys(records), sharedCauses)
};

/** Where a record and the row of its check name different parts. */
function checkMistakes(id: string, record: CheckRecord, row: CheckRow): FileMistake[] {
	const { section, standard, causes = {}, history = {}, mistakes = {} } = record;
	const known = 'causes' in row ? (row.causes ?? []) : [];
	const kind = sought.get(id);
	const canFail = 'failed' in row || row.responds === 'error';
	const has = (name: keyof CheckRecord, isNeeded: boolean): FileMistake[] => {
		if (isNeeded === (record[name] !== undefined)) return [];
		const reason = isNeeded
			? 'Its code says that it has one. Found nothing.'
			: 'Its code says that it has none. Remove it.';
		return [{ place: `${id}.${name}`, reason }];
	};
	return [
		...has('responds', row.responds !== undefined),
		...has('failed', 'failed' in row),
		...has('why', canFail),
		...has('fix', canFail),
		...nameMistakes(`${id}.causes`, Object.keys(causes), known),
		...nameMistakes(`${id}.history`, Object.keys(history), kind === undefined ? [] : historyCauses[kind]),
		...nameMistakes(`${id}.mistakes`, Object.keys(mistakes), row.mistakes ?? []),
		...(section !== undefined && /^\d/.test(section) && standard?.section === undefined
			? [
					{
						place: `${id}.standard`,
						reason:
							'Name what requires it with today’s standards: section: RFC 6749 §5.2, or section: same. Found nothing.'
					}
				]
			: [])
	];
}

const readChecks = readerOf(checkKind);
const readShared = readerOf(sharedKind);

/** Reads a file of records. */
export const readContent = readFolders({
	checks: (id: string, source: ContentSource) => (id === 'shared' ? readShared : readChecks)(id, source),
	rules: readerOf(ruleKind),
	findings: readerOf(findingKind)
});
