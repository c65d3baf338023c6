import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { preset } from '#api/control/preset.ts';

const accepts = (path: string) =>
	v.safeParse(preset, { format: 'tollgate-preset', version: 1, start: { path } }).success;

describe('H2 the start of a preset is a page of the new sandbox:', () => {
	it.each([
		'/',
		'/viewer',
		'/viewer/',
		'/learn/whole-trip',
		'/request?kind=exchange&mistake=code_twice',
		'/console/application?client_id=character-viewer&tab=settings',
		'/share?from=/request',
		'/guide?start',
		'/moment#H4sIAAAA.-_',
		'/docs/v2.0',
		`/viewer?${'x'.repeat(290)}`
	])('accepts %s', (path) => expect(accepts(path)).toBe(true));

	it.each([
		'',
		'viewer',
		'//evil.example',
		'/%2f%2fevil.example',
		'/.//evil.example',
		'/../..//evil.example',
		'/viewer//x',
		'/viewer/..',
		'/viewer/../preset',
		'/./preset',
		'/../preset#H4sI',
		'/%2e%2e/preset#H4sI',
		'/%2E./preset',
		'/.%2e/x',
		'/%2e/preset',
		'/a/%2e%2e/%2e%2e/preset',
		'/%5c%5cevil.example',
		'/\\evil.example',
		'/preset',
		'/preset/',
		'/preset#H4sI',
		'/preset?share=abc',
		'/%70reset?share=abc',
		'/%zz',
		'/%c3',
		'/viewer\n',
		'/vie wer',
		'/viewer#a#b',
		`/${'x'.repeat(301)}`
	])('rejects %s', (path) => expect(accepts(path)).toBe(false));

	it('never leaves the sandbox, and never is the page of presets', () => {
		const part = fc.constantFrom(
			'/',
			'.',
			'..',
			'%2e',
			'%2E',
			'%2f',
			'%5c',
			'preset',
			'%70',
			'viewer',
			'?',
			'#',
			'~',
			'&'
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
				const path = `/${parts.join('')}`;
				if (!accepts(path)) return;
				const { origin, pathname } = new URL(`https://tollgate.test/~id${path}`);
				expect([origin, pathname.startsWith('/~id/')]).toEqual(['https://tollgate.test', true]);
				expect(decodeURIComponent(pathname)).not.toMatch(/^\/~id\/+preset(\/|$)|\/\//);
			}),
			{ numRuns: 2000 }
		);
	});
});
