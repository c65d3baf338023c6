import { Marked, type MarkedToken, type Token } from 'marked';
import type { Language } from '#ui/display/highlight.ts';
import type { DocBlock, DocEntry, DocOperation, DocPage, DocRow } from '#features/docs/doc-page.ts';

/** A compiled page, and what the search index lists of it. */
export type CompiledPage = { readonly page: DocPage; readonly entries: readonly DocEntry[] };

/** What comments in the Markdown say about the block after them. */
type Directives = { index?: string; filter?: string };

/** The languages of code blocks, by the name that Markdown files and file endings use. */
const languages = new Map<string, Language>([
	['sh', 'shell'],
	['ts', 'ts'],
	['json', 'json'],
	['xml', 'xml'],
	['txt', 'text'],
	['yaml', 'text'],
	['conf', 'text'],
	['Caddyfile', 'text']
]);

const sectionNumber = /^§ (\d(?:\.\d)?)(?!\d)/;

const marked = new Marked({
	renderer: {
		// Raw HTML is text here: `<name>` in prose is a placeholder.
		html: ({ text }) => escape(text),
		link({ href, tokens }) {
			return `<a href="${escape(pageLink(href))}">${this.parser.parseInline(tokens)}</a>`;
		},
		blockquote({ tokens }) {
			return `<div class="note" role="note">${this.parser.parse(tokens)}</div>`;
		}
	},
	extensions: [
		{
			name: 'section',
			level: 'inline',
			start: (text: string) => text.indexOf('§ '),
			tokenizer(text: string) {
				const match = sectionNumber.exec(text);
				return match === null ? undefined : { type: 'section', raw: match[0], number: match[1] };
			},
			renderer({ raw, number }) {
				return `<a class="section" href="${pageLink(`specification.md#${sectionId(String(number))}`)}">${raw}</a>`;
			}
		}
	]
});

/**
 * Compiles one page of the documentation. Everything outside Markdown's own syntax is escaped.
 * @param source Markdown: a title (`#`), a first paragraph, then the content. `<!-- index: GROUP -->` before a table gives its
 * rows anchors and lists them in the search index, `<!-- filter: LABEL -->` adds a filter field, `<!-- include: PATH -->`
 * inserts a source file as a code block, `<!-- operations: TAG -->` the operations of a tag of the API.
 * @param readFile returns the text of an included file, by its path in the project
 * @param operationsOf returns the operations of a tag
 * @throws {Error} where the page has no title or no first paragraph, uses an anchor twice, or has code in an unknown language
 */
export function compileMarkdown(
	source: string,
	readFile: (path: string) => string,
	operationsOf: (tag: string) => readonly DocOperation[] = () => []
): CompiledPage {
	const tokens = marked.lexer(source).filter(isKnown);
	const [title, lead, ...rest] = tokens.filter(({ type }) => type !== 'space');
	if (title?.type !== 'heading' || title.depth !== 1) throw new Error('A page starts with its title: # Title');
	if (lead?.type !== 'paragraph') throw new Error('A page has a first paragraph below its title.');
	const entries: DocEntry[] = [{ group: 'Documentation', title: title.text, anchor: '', ...wordsOf([lead]) }];
	const blocks: DocBlock[] = [];
	const anchors = new Set<string>();
	let caption = title.text;
	let directives: Directives = {};
	const anchor = (id: string) => {
		if (anchors.has(id)) throw new Error(`The anchor #${id} is used twice.`);
		anchors.add(id);
		return id;
	};
	for (const [index, token] of rest.entries()) {
		const directive = token.type === 'html' ? /^<!-- (\w+): (.+) -->\s*$/.exec(token.text) : null;
		const [, name = '', value = ''] = directive ?? [];
		if (name === 'include') {
			blocks.push({
				kind: 'code',
				code: readFile(value).trimEnd(),
				language: languageOf(value.split(/[./]/).at(-1)),
				title: value
			});
		} else if (name === 'operations') {
			for (const operation of operationsOf(value)) {
				entries.push({
					group: title.text,
					title: `${operation.method} ${operation.path}`,
					anchor: anchor(operation.id)
				});
				blocks.push({ kind: 'operation', operation });
			}
		} else if (directive !== null) {
			directives = { ...directives, [name]: value };
		} else if (token.type === 'heading') {
			const text = textOf(token.tokens);
			const id = anchor(headingId(text));
			caption = text;
			const isSection = id.startsWith('section-');
			const following = rest.slice(index + 1);
			const end = following.findIndex(({ type }) => type === 'heading');
			entries.push({
				group: isSection ? 'Specification' : title.text,
				title: isSection ? `§ ${text}` : text,
				anchor: id,
				...wordsOf(end < 0 ? following : following.slice(0, end))
			});
			blocks.push({ kind: 'heading', level: token.depth === 2 ? 2 : 3, id, text, html: inline(token.tokens) });
		} else if (token.type === 'code') {
			const [language, ...words] = (token.lang ?? '').split(' ');
			const title = words.length === 0 ? {} : { title: words.join(' ') };
			blocks.push({ kind: 'code', code: token.text, language: languageOf(language), ...title });
		} else if (token.type === 'table') {
			const { index, filter } = directives;
			directives = {};
			const rows = token.rows.map((cells): DocRow => {
				const name = textOf(cells[0]?.tokens ?? []);
				const html = cells.map((cell) => inline(cell.tokens));
				if (index === undefined) return { cells: html };
				const id = anchor(slugOf(name));
				entries.push({ group: index, title: name, anchor: id });
				return { id, cells: html };
			});
			const columns = token.header.map((cell) => textOf(cell.tokens));
			if (columns.includes('')) throw new Error(`A column below “${caption}” has no heading.`);
			blocks.push({ kind: 'table', caption, columns, rows, ...(filter === undefined ? {} : { filter }) });
		} else {
			const html = marked.parser([token]).trim();
			const last = blocks.at(-1);
			if (last?.kind === 'html') blocks[blocks.length - 1] = { kind: 'html', html: `${last.html}\n${html}` };
			else blocks.push({ kind: 'html', html });
		}
	}
	const page = {
		title: title.text,
		lead: inline(lead.tokens),
		description: textOf(lead.tokens),
		blocks
	};
	return { page, entries };
}

/** The anchor of a section of the specification: `section-2-1`. */
function sectionId(number: string): string {
	return `section-${number.replace('.', '-')}`;
}

/** A link to another Markdown file or a path of the application, as a link of the page. Other links are unchanged. */
function pageLink(href: string): string {
	const [, name, hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
	if (name !== undefined) return `%home%/docs/${name === 'overview' ? '' : `${name}/`}${hash}`;
	return href.startsWith('/') ? `%home%${href}` : href;
}

function headingId(text: string): string {
	const number = /^(\d(?:\.\d)?)\.? /.exec(text)?.[1];
	return number === undefined ? slugOf(text) : sectionId(number);
}

function slugOf(text: string): string {
	return text
		.toLowerCase()
		.replace(/[^a-z0-9_]+/g, '-')
		.replace(/^-|-$/g, '');
}

function languageOf(name = ''): Language {
	const language = languages.get(name);
	if (language === undefined) throw new Error(`A code block is in an unknown language: ${name}`);
	return language;
}

/** One paragraph as HTML, without its element. */
export function compileInline(text: string): string {
	return inline(marked.Lexer.lexInline(text, marked.defaults));
}

function inline(tokens: Token[]): string {
	return marked.Parser.parseInline(tokens, marked.defaults);
}

/** The text of inline tokens, without its markup. */
function textOf(tokens: readonly Token[]): string {
	return tokens
		.map((token) => {
			if (!isKnown(token)) return token.raw;
			return 'tokens' in token ? textOf(token.tokens) : 'text' in token ? token.text : '';
		})
		.join('');
}

/** What search finds a text by. */
function wordsOf(tokens: readonly Token[]): Pick<DocEntry, 'words'> {
	const text = tokens.flatMap(({ type, raw }) => (type === 'html' ? [] : raw)).join(' ');
	return { words: [...new Set(text.toLowerCase().match(/[a-z]{4,}/g))].join(' ') };
}

function isKnown(token: Token): token is MarkedToken {
	const type: string = token.type;
	return type !== 'section';
}

function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
