import { expect, test } from 'vitest';
import { compileMarkdown } from '#tooling/vite/compile-markdown.ts';

const noFiles = (path: string) => `no file ${path}`;

/** Compiles content below a title and a first paragraph. */
function blocks(content: string) {
	return compileMarkdown(`# Title\n\nLead.\n\n${content}`, noFiles).page.blocks;
}

test('title and first paragraph become title, lead and description', () => {
	const { page } = compileMarkdown('# A `title`\n\nLead with *emphasis* & <name>.\n', noFiles);
	expect(page).toEqual({
		title: 'A `title`',
		lead: 'Lead with <em>emphasis</em> &amp; &#60;name&#62;.',
		description: 'Lead with emphasis & <name>.',
		blocks: []
	});
});

test.each(['Text without a title.', '# Title alone', '# Title\n\n- a list'])('rejects %j', (source) => {
	expect(() => compileMarkdown(source, noFiles)).toThrow('A page');
});

test('raw HTML is shown as text', () => {
	const [block] = blocks('A <script>alert(1)</script> and `<b>`.\n\n<img src=x onerror=alert(1)>');
	expect(block).toMatchObject({ kind: 'html' });
	expect(JSON.stringify(block)).not.toMatch(/<(?:script|b|img)/);
});

test('a numbered heading has the anchor of its section, any other one made of its words', () => {
	const headings = blocks('## 2. Fields\n\n### 2.1 The `state`\n\n## Why PKCE?');
	expect(headings).toMatchObject([
		{ level: 2, id: 'section-2', text: '2. Fields' },
		{ level: 3, id: 'section-2-1', text: '2.1 The state' },
		{ level: 2, id: 'why-pkce', text: 'Why PKCE?' }
	]);
});

test('rejects an anchor that is used twice', () => {
	expect(() => blocks('## Same\n\n## Same')).toThrow('#same');
});

test('links lead to pages below the home path, and section signs to the specification', () => {
	const [block] = blocks('[a](errors.md#invalid_grant) [b](/viewer) [c](https://example.com/?a&b) § 3.1');
	expect(block).toEqual({
		kind: 'html',
		html:
			'<p><a href="%home%/docs/errors/#invalid_grant">a</a> <a href="%home%/viewer">b</a> ' +
			'<a href="https://example.com/?a&#38;b">c</a> ' +
			'<a class="section" href="%home%/docs/specification/#section-3-1">§ 3.1</a></p>'
	});
});

test('code blocks carry their language and title, included files their text', () => {
	expect(blocks('```sh walk.sh\nls\n```\n\n<!-- include: src/a.ts -->')).toEqual([
		{ kind: 'code', code: 'ls', language: 'shell', title: 'walk.sh' },
		{ kind: 'code', code: 'no file src/a.ts', language: 'ts', title: 'src/a.ts' }
	]);
	expect(() => blocks('```cobol\nx\n```')).toThrow('cobol');
});

test('a table is named by the heading above it, and its rows get anchors and index entries on request', () => {
	const source =
		'# Title\n\nLead.\n\n## Codes\n\n<!-- index: Error codes -->\n\n| Code | Fix |\n| - | - |\n| `not_found` | None |';
	const { page, entries } = compileMarkdown(source, noFiles);
	expect(page.blocks[1]).toEqual({
		kind: 'table',
		caption: 'Codes',
		columns: ['Code', 'Fix'],
		rows: [{ id: 'not_found', cells: ['<code>not_found</code>', 'None'] }]
	});
	expect(entries).toEqual([
		{ group: 'Documentation', title: 'Title', anchor: '', words: 'lead' },
		{ group: 'Title', title: 'Codes', anchor: 'codes', words: 'code found none' },
		{ group: 'Error codes', title: 'not_found', anchor: 'not_found' }
	]);
});

test('rejects a column without a heading', () => {
	expect(() => blocks('| | Fix |\n| - | - |\n| a | b |')).toThrow('no heading');
});
