import { spawnSync } from 'node:child_process';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
	replaceInvalidXml,
	respondData,
	respondJson,
	xmlDocument,
	xmlElement,
	xmlFromData
} from '#service/core/responses.ts';
import { Context } from '#service/core/context.ts';
import { contextInit } from './context-init.ts';
import { codePoint } from '../code-point.ts';

const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;
const keep = { parseTagValue: false, parseAttributeValue: false, trimValues: false, htmlEntities: true };
const parser = new XMLParser({
	...keep,
	ignoreAttributes: false,
	attributeNamePrefix: '',
	alwaysCreateTextNode: false
});

const odd = fc.constantFrom(
	'&',
	'<',
	'>',
	'"',
	"'",
	']]>',
	'\t',
	'\n',
	'\r',
	'\u0000',
	'\b',
	'\f',
	'\u001f',
	'\u007f',
	'\u0085',
	'\u2028',
	'\ufffe',
	'\uffff',
	'\ud800',
	'\udfff',
	'😀',
	'&amp;',
	'&#10;',
	'\\b',
	'\\u0000',
	'<!--',
	'<?x?>',
	'<![CDATA['
);
const text = fc.oneof(fc.string({ unit: codePoint }), fc.array(fc.oneof(odd, fc.string()), { maxLength: 8 }).map(join));

it('EN-01 EN-02 XML and JSON say the same of any ten thousand texts, as elements and as attributes', () => {
	const documents: string[] = [];
	fc.assert(
		fc.property(text, text, (one, other) => {
			const xml = xmlFromData('OAuth', { error: one, error_description: other });
			const { error, error_description } = parsed(xml, 'OAuth');
			expect([error, error_description]).toEqual([replaceInvalidXml(one), replaceInvalidXml(other)]);
			const record = xmlDocument(xmlElement('ratelimits', { one, other, total: 2 }));
			expect(parsed(record, 'ratelimits')).toEqual({
				one: replaceInvalidXml(one),
				other: replaceInvalidXml(other),
				total: '2'
			});
			documents.push(xml, record);
		}),
		{ numRuns: 5000 }
	);
	for (const document of documents) expect(XMLValidator.validate(document)).toBe(true);
	if (hasXmllint) {
		const whole = `<all>${documents.map((one) => one.replace(/^<\?.*?\?>\s*/, '')).join('\n')}</all>`;
		const { status, stderr } = spawnSync('xmllint', ['--noout', '--huge', '-'], { input: whole });
		expect(status, stderr.toString().slice(0, 1000)).toBe(0);
	}
});

it('EN-01 what XML cannot carry is the same replacement in JSON', () => {
	const json = callFor('application/json');
	const xml = callFor('application/xml');
	fc.assert(
		fc.property(text, (value) => {
			const body = respondData(json, 200, 'OAuth', { value }).body;
			expect(JSON.parse(body)).toEqual({ value: replaceInvalidXml(value) });
			expect(parsed(respondData(xml, 200, 'OAuth', { value }).body, 'OAuth')).toEqual({
				value: replaceInvalidXml(value)
			});
			expect(JSON.parse(respondJson(json, 200, [value]).body)).toEqual([replaceInvalidXml(value)]);
		}),
		{ numRuns: 3000 }
	);
});

it('EN-01 no character outside XML 1.0 is ever written', () => {
	fc.assert(
		fc.property(text, (value) => {
			const xml = xmlFromData('x', { value });
			expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
			expect(xmlElement('x', { value })).not.toMatch(/[\t\n\r]/);
		})
	);
});

function parsed(xml: string, root: string): Record<string, unknown> {
	const document: unknown = parser.parse(xml);
	const value: unknown = Object.entries(Object(document)).find(([name]) => name === root)?.[1];
	return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function join(parts: readonly string[]): string {
	return parts.join('');
}

function callFor(accept: string): Context {
	return new Context(contextInit(['Accept', accept]));
}
