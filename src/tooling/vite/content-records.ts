// The files of src/content whose records code imports, which lessons, labs and exercises are checked with. So it imports no content.
import type { FileMistake } from '#lib/file/read-json.ts';
import * as v from 'valibot';
import { findingRecord } from '#evidence/har/findings/finding-record.ts';
import { ruleRecord, ruleTextParts, type RuleRecord } from '#evidence/rule-record.ts';
import { ruleCodes } from '#evidence/rules/rule-codes.ts';
import { nameMistakes, type Kind } from './content-kind.ts';
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

/** Reads a file of records. */
export const readContent = readFolders({ rules: readerOf(ruleKind), findings: readerOf(findingKind) });
