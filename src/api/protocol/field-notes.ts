import notes from '#content/fields/notes.json';
import { grants } from './grant-types.ts';

/** What a parameter or header is for, and the section that defines it. */
export type FieldNote = { readonly text: string; readonly section: string };

type Notes = Readonly<Record<string, readonly string[]>>;

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** The parameters of queries, forms and JSON bodies. */
const parameters: Notes = {
	...notes.parameters,
	grant_type: [`What is exchanged for tokens: ${alternatives.format(grants.map(({ offers }) => offers))}.`, '2.3']
};

/** The note of a parameter of a query, a form or a JSON body. */
export function parameterNote(name: string): FieldNote | undefined {
	return noteIn(parameters, name);
}

/** The note of a header. Their names are in lower case. */
export function headerNote(name: string): FieldNote | undefined {
	return noteIn(notes.headers, name.toLowerCase());
}

function noteIn(all: Notes, name: string): FieldNote | undefined {
	const [text = '', section = ''] = (Object.hasOwn(all, name) && all[name]) || [];
	return text === '' ? undefined : { text, section };
}
