import type { Language } from '#ui/display/highlight.ts';

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
	| { readonly kind: 'html'; readonly html: string }
	| DocHeading
	| DocCode
	| ({ readonly kind: 'table' } & DocTable)
	| { readonly kind: 'operation'; readonly operation: DocOperation };

export type DocHeading = {
	readonly kind: 'heading';
	readonly level: 2 | 3;
	/** The anchor: `section-2-1` for a numbered heading, else its words. */
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

/** One operation of the API. Descriptions are HTML. */
export type DocOperation = {
	/** The anchor: its name in the OpenAPI document. */
	readonly id: string;
	readonly method: string;
	/** With `{name}` for each variable segment. */
	readonly path: string;
	readonly summary: string;
	readonly description: string;
	/** The credentials that it accepts. */
	readonly access: readonly DocAccess[];
	/** It deletes data, or ends access. */
	readonly destroys: boolean;
	readonly parameters: readonly DocParameter[];
	readonly body?: {
		readonly type: string;
		readonly fields: readonly DocField[];
		/** JSON. */
		readonly example: string;
		/** The fields of a form, and what they contain at first. */
		readonly values?: Readonly<Record<string, string>>;
	};
	readonly responses: readonly DocResponse[];
};

export type DocAccess = 'none' | 'sandbox key' | 'access token' | 'client credentials' | 'session';

export type DocField = {
	/** A path: `limits.character`, `events[].at`. */
	readonly name: string;
	/** `integer, 1 to 20`. */
	readonly type: string;
	readonly required: boolean;
	readonly description: string;
};

export type DocParameter = DocField & {
	readonly in: 'path' | 'query';
	readonly example: string;
	readonly options: readonly string[];
};

export type DocResponse = {
	readonly status: string;
	readonly description: string;
	/** Media types. */
	readonly types: readonly string[];
	readonly headers: readonly string[];
	/** Empty for errors, which are all alike. */
	readonly fields: readonly DocField[];
	/** JSON. */
	readonly example?: string;
};

/** One place in the documentation that search finds. */
export type DocEntry = {
	/** `Specification`, `Error codes`: the kind of place. */
	readonly group: string;
	readonly title: string;
	/** The id of a heading or row; empty for the page itself. */
	readonly anchor: string;
	/** The words of the text below a heading, each once. */
	readonly words?: string;
};
