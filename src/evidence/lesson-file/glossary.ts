import entries from '#content/glossary.json';

/** A term as it is written in texts. */
export type Term = keyof typeof entries;

/** What the dotted terms of the lessons mean: one or two short sentences, and where more is said. */
export const glossary: Readonly<Record<Term, { readonly text: string; readonly section: string }>> = entries;

/** All of them. */
export const terms = Object.keys(entries).filter((name): name is Term => name in entries);
