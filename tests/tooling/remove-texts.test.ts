import { expect, it } from 'vitest';
import { removeEndpointTexts, removeTexts } from '#tooling/remove-texts.js';

it('removes what only the OpenAPI document and forms show, and nothing else', () => {
	const code = `const all = declare({
	"GET /x": { id: "x", tag: "Y", summary: "Read, then \\"stop\\"", description: \`Up to \${max}.\`, access: "everybody",
		body: { schema, example: { a: 1 } }, responses: { 200: { description: "The text.", json: schema } }, errors: { 409: "Full." } },
	"POST /y": { id: "y", tag: "Classes", body: { schema }, responses: { 200: {} } }
});
const schema = object({ description: string(), summary, hint: { on: "x" } });
const other = { errors: { 409: "Full." }, tag: "Y", example: { a: 1 } };
const rows = [{ path: "/x", group: a, label: "X", keys: "g x" }, { path: "/y", label: "Y" }];
const limits = { window: { schema, initial: 1, label: "Window", hint: { on: "a", off: "b" } } };
const errors = { full: { status: 409, title: "Full", cause: "It is full.", fix: "Wait.", section: "7", action: "none" } };
const grants = { x: { offers: "a code", kind: "y", fields: { code: { meaning: "The code.", check: "a.b", isOptional: true } }, pause: { point: "p", drop: "D", duplicate: "E" } } };
const world = { permissions: [{ scope: "read", meaning: "Read" }] };`;
	expect(removeTexts(code).replace(/\s+/g, ' ')).toBe(
		'const all = declare({ "GET /x": { access: "everybody", body: { schema, }, responses: { 200: { } }, }, "POST /y": { responses: { 200: {} } } }); const schema = object({ description: string(), summary, hint: { on: "x" } }); const other = { errors: { 409: "Full." }, tag: "Y", example: { a: 1 } }; const rows = [{ path: "/x", }, { path: "/y", label: "Y" }]; const limits = { window: { schema, initial: 1, } }; const errors = { full: { status: 409, } }; const grants = { x: { kind: "y", fields: { code: { isOptional: true } }, pause: { point: "p", } } }; const world = { permissions: [{ scope: "read", meaning: "Read" }] };'
	);
});

it('removes the texts of endpoints for pages, and keeps their schemas and other texts', () => {
	const code = `const all = declare({ "GET /x": { id: "x", tag: "Y", summary: "Read", description: \`Up to \${max}.\`, bodyLimit: 1024,
		body: { schema, example: { a: 1 } }, responses: { 200: { description: "The text.", json: object({ description: string() }) } }, errors: { 409: "Full." } } });
const limits = { window: { initial: 1, label: "Window", description: "Shown." } };`;
	expect(removeEndpointTexts(code).replace(/\s+/g, ' ')).toBe(
		'const all = declare({ "GET /x": { id: "x", bodyLimit: 1024, body: { schema, }, responses: { 200: { json: object({ description: string() }) } }, } }); const limits = { window: { initial: 1, label: "Window", description: "Shown." } };'
	);
});
