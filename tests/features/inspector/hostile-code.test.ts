import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { requestCode } from '#features/inspector/copy-as/copy-as.ts';
import { exportFormats } from '#features/inspector/export/formats.ts';
import { codePoint } from '../../code-point.ts';
import { logged } from './logged-exchange.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-code-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Texts that end a string, a comment, a command or a template, and everything else. */
const hostile = fc
	.oneof(
		fc.constantFrom(
			'`touch a`',
			'$(touch b)',
			"'; touch c; '",
			'"; touch d; "',
			'\n touch e\n',
			'\\\n',
			'${process.exit()}',
			'`${process.exit()}`',
			"'); throw 1; //",
			'"""\nraise SystemExit\n"""',
			'*/ throw 1',
			'\u2028throw 1',
			'</script><script>throw 1</script>',
			'‹code 1 `${x}…›',
			'‹$(touch f) 1›',
			'‹constructor 1›'
		),
		fc.string({ unit: codePoint, maxLength: 40 })
	)
	.filter((text) => !text.includes('\0'));

/** An exchange as the log has it, with hostile texts in each place that a client chooses. */
const entry = fc
	.tuple(hostile, hostile, hostile, hostile, hostile)
	.map(([target, name, value, body, label]): TrafficEntry => {
		const headers: [string, string][] = [
			['Content-Type', 'application/x-www-form-urlencoded'],
			[name, value],
			['Authorization', `Basic ${value}`]
		];
		return logged({
			client_id: label,
			username: label,
			request: {
				method: 'POST',
				target: `/ws/oauth2/token/?x=${target}`,
				headers,
				body: `grant_type=authorization_code&code=${body}&redirect_uri=${value}`
			},
			response: { status: 400, headers: [['Location', value]], body },
			values: [{ label, preview: body, id: value }]
		});
	});

const codeIn = (one: TrafficEntry, name: string) =>
	requestCode(one, 'https://tollgate.test').find((code) => code.name === name)?.code ?? '';

/** The kinds of statement in a program, which must not have mistakes. */
function statementsOf(source: string): string[] {
	const { diagnostics = [] } = ts.transpileModule(source, { reportDiagnostics: true });
	expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
	const kinds = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (ts.isStatement(node)) kinds.add(ts.SyntaxKind[node.kind]);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('code.ts', source, ts.ScriptTarget.Latest, true));
	return [...kinds];
}

test('IN-02 the copied command runs curl once, and nothing else, whatever the exchange contains', () => {
	fc.assert(
		fc.property(fc.array(entry, { minLength: 20, maxLength: 20 }), (entries) => {
			const script = entries.map((one) => `${codeIn(one, 'curl')}\n`).join('');
			const printed = execFileSync('/bin/sh', ['-c', `curl() { echo ran; }\n${script}`], {
				cwd: folder,
				encoding: 'utf8',
				env: { PATH: process.env.PATH }
			});
			expect(printed).toBe('ran\n'.repeat(entries.length));
			expect(readdirSync(folder)).toEqual([]);
		}),
		{ numRuns: 5 }
	);
});

test('IN-02 the copied programs have the statements of a harmless exchange, whatever the exchange contains', () => {
	for (const name of ['fetch', 'oauth4webapi']) {
		const harmless = new Set(statementsOf(codeIn(logged(), name)));
		fc.assert(
			fc.property(entry, (one) => {
				const added = statementsOf(codeIn(one, name)).filter((kind) => !harmless.has(kind));
				expect(added).toEqual([]);
			}),
			{ numRuns: 40 }
		);
	}
});

test('IN-02 each export of hostile exchanges can be read', () => {
	fc.assert(
		fc.property(fc.array(entry, { minLength: 1, maxLength: 3 }), (entries) => {
			for (const { fileName, write } of exportFormats) {
				const text = write(entries, 'https://tollgate.test', 'character');
				if (/\.(?:har|json)$/.test(fileName)) JSON.parse(text);
				expect(text).not.toBe('');
			}
		}),
		{ numRuns: 20 }
	);
});
