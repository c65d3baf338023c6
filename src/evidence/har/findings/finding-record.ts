import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty('Write a text.'));

/** What a finding of a file says: a record of `src/content/findings`. Rules and causes have a fix, differences have a text. */
export const findingRecord = v.strictObject({
	title: text,
	/** What is at risk, see `Severity`. */
	severity: v.exactOptional(v.picklist([1, 2, 3])),
	sections: v.exactOptional(v.pipe(v.array(text), v.readonly())),
	/** What a file must have before a rule can judge it. Follows "Needs:". */
	needs: v.exactOptional(text),
	/** What leads to it. Absent: only the quoted words tell. */
	why: v.exactOptional(text),
	fix: v.exactOptional(text),
	/** What happened, of a rule. */
	failed: v.exactOptional(text),
	/** What differs, of a provider. */
	text: v.exactOptional(text)
});

export type FindingRecord = Readonly<v.InferOutput<typeof findingRecord>>;
