import { describe, expect, it } from 'vitest';
import { LinkError, maxLinkLength, packFragment } from '#client/packed-link.ts';
import { createProgramLink, readProgramLink } from '#course/write/share/share-link.ts';
import { projectFiles } from '#course/write/share/project.ts';
import { zip } from '#client/zip.ts';

const source = "export async function signIn() {\n  return 'ü';\n}\n";

describe('a link to a program', () => {
	it('contains the program, and opens on the page of its exercise only', async () => {
		const { hash, pathname } = new URL(await createProgramLink('https://a.test/write', 'sign-out', source));
		expect(pathname).toBe('/write/sign-out');
		expect(await readProgramLink(hash, 'sign-out')).toBe(source);
		await expect(readProgramLink(hash, 'refresh-once')).rejects.toThrow('belongs to another exercise');
	});

	it('with other content is rejected with a sentence', async () => {
		const large = 'x'.repeat(2_000_000);
		const hostile = [
			'#',
			'#a',
			'#a.b',
			`#${'x'.repeat(maxLinkLength)}`,
			`#${await packFragment(null)}`,
			`#${await packFragment({ exercise: 'sign-out', source: { toString: 1 } })}`,
			`#${await packFragment({ exercise: 'sign-out', source: large.slice(0, 100_001) })}`,
			`#${await packFragment({ exercise: 'sign-out', source: large })}`
		];
		for (const fragment of hostile)
			await expect(readProgramLink(fragment, 'sign-out'), fragment.slice(0, 40)).rejects.toThrow(LinkError);
	});
});

describe('a project', () => {
	it('has the program, and a test of the rules of its exercise', async () => {
		const files = await projectFiles({ title: 'Sign out', source, rules: ['signout.revoke'], dialect: 'standard' });
		const of = (path: string) => files.find((file) => file.path === path)?.text ?? '';
		expect(of('client.ts')).toBe(source);
		expect(of('test.js')).toContain('"--only","signout.revoke","--dialect","standard"');
		expect(JSON.parse(of('package.json'))).toMatchObject({ scripts: { test: 'node test.js' } });
		expect(of('README.md')).toContain('# Sign out');
		expect(of('tollgate-client/index.ts')).toContain("export * from './oauth/atomic-store.ts';");
	});

	it('is an archive whose directory lists each file at its place', () => {
		const bytes = zip([
			{ path: 'a.txt', text: '123456789' },
			{ path: 'b/ü.txt', text: '' }
		]);
		const view = new DataView(bytes.buffer);
		const end = bytes.length - 22;
		expect(view.getUint32(end, true)).toBe(0x06054b50);
		expect(view.getUint16(end + 10, true)).toBe(2);
		const first = view.getUint32(end + 16, true);
		expect(view.getUint32(first, true)).toBe(0x02014b50);
		// The check value of CRC-32.
		expect(view.getUint32(first + 16, true)).toBe(0xcbf43926);
		const second = first + 46 + 5;
		const offset = view.getUint32(second + 42, true);
		expect(view.getUint32(offset, true)).toBe(0x04034b50);
		expect(new TextDecoder().decode(bytes.subarray(offset + 30, offset + 38))).toBe('b/ü.txt');
	});
});
