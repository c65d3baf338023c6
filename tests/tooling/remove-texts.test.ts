import { expect, it } from 'vitest';
import { removeTexts } from '#tooling/remove-texts.js';

it('removes summaries and descriptions that are texts, and nothing else', () => {
	const code = `const all = declare({
	"GET /x": { id: "x", summary: "Read, then \\"stop\\"", description: \`Up to \${max}.\`, access: "everybody",
		responses: { 200: { description: "The text.", json: schema } } }
});
const schema = object({ description: string(), summary });`;
	expect(removeTexts(code).replace(/\s+/g, ' ')).toBe(
		'const all = declare({ "GET /x": { id: "x", access: "everybody", responses: { 200: { json: schema } } } }); const schema = object({ description: string(), summary });'
	);
});
