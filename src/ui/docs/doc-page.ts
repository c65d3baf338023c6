import type { Language } from '../display/highlight.ts';

/** One documentation page, compiled from Markdown at build time. HTML may hold `%home%`, for `AppLocation.home`. */
export type DocPage = {
	readonly title: string;
	/** The first paragraph, as HTML. */
	readonly lead: string;
	/** The first paragraph, as text. */
	readonly description: string;
	readonly blocks: readonly DocBlock[];
};

export type DocBlock =
	{ readonly kind: 'html'; readonly html: string } | DocHeading | DocCode | ({ readonly kind: 'table' } & DocTable);

export type DocHeading = {
	readonly kind: 'heading';
	readonly level: 2 | 3;
	/** The anchor: `section-2-1` for a numbered heading, else made of its words. */
	readonly id: string;
	readonly text: string;
	readonly html: string;
};

export type DocCode = {
	readonly kind: 'code';
	readonly code: string;
	readonly language: Language;
	readonly title?: string;
};

export type DocTable = {
	/** The accessible name: the heading above the table. */
	readonly caption: string;
	/** The column headings, as text. */
	readonly columns: readonly string[];
	readonly rows: readonly DocRow[];
	/** The label of a field that filters the rows. */
	readonly filter?: string;
};

export type DocRow = {
	/** The anchor of a row that the search index lists. */
	readonly id?: string;
	/** HTML of the cells. */
	readonly cells: readonly string[];
};

/** One place in the documentation that search finds. */
export type DocEntry = {
	/** `Specification`, `Error codes`: the kind of place. */
	readonly group: string;
	readonly title: string;
	/** The id of a heading or row; empty for the page itself. */
	readonly anchor: string;
};
