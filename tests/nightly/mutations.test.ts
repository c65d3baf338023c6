import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';

/** What is broken, and the tests that should notice it. */
const areas = [
	{ folders: ['src/evidence'], tests: ['tests/evidence'] },
	{
		folders: ['src/service/token', 'src/service/authorization'],
		tests: ['tests/conformance/direct', 'tests/service/requirements', 'tests/service/causes']
	},
	{
		folders: ['src/client/oauth', 'src/client/rate-limit'],
		tests: ['tests/client/oauth', 'tests/client/rate-limit']
	}
];
/** Each seed chooses other mutations, so that each day has its own. */
const seed = Number(process.env.MUTATION_SEED ?? Math.floor(Date.now() / 86_400_000));
const perArea = Number(process.env.MUTATIONS ?? 60) / areas.length;
/** Milliseconds. Mutations that have not begun by then are left out. */
const longest = 18 * 60_000;

type Mutation = { readonly file: string; readonly start: number; readonly end: number; readonly text: string };

const { SyntaxKind } = ts;
const replacements: ReadonlyMap<ts.SyntaxKind, string> = new Map([
	[SyntaxKind.EqualsEqualsEqualsToken, '!=='],
	[SyntaxKind.ExclamationEqualsEqualsToken, '==='],
	[SyntaxKind.LessThanToken, '<='],
	[SyntaxKind.LessThanEqualsToken, '<'],
	[SyntaxKind.GreaterThanToken, '>='],
	[SyntaxKind.GreaterThanEqualsToken, '>'],
	[SyntaxKind.AmpersandAmpersandToken, '||'],
	[SyntaxKind.BarBarToken, '&&'],
	[SyntaxKind.TrueKeyword, 'false'],
	[SyntaxKind.FalseKeyword, 'true'],
	// A removed statement.
	[SyntaxKind.ExpressionStatement, ';']
]);

/** All mutations of a file: operators, constants, limits and statements. */
function mutationsOf(file: string): Mutation[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
	const found: Mutation[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
		const isLimit = ts.isNumericLiteral(node);
		const text = isLimit ? String(Number(node.text) + 1) : replacements.get(node.kind);
		if (text !== undefined) found.push({ file, start: node.getStart(source), end: node.getEnd(), text });
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Numbers from 0 to 1 (a linear congruential generator). */
function randomOf(state: number): () => number {
	return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

test('the tests notice most deliberate breaks', { timeout: longest + 600_000 }, () => {
	const copy = mkdtempSync(join(tmpdir(), 'tollgate-mutations-'));
	onTestFinished(() => rmSync(copy, { recursive: true }));
	for (const part of ['src', 'tests', 'package.json']) cpSync(part, join(copy, part), { recursive: true });
	symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
	writeFileSync(join(copy, 'vitest.config.js'), 'export default { test: { isolate: false, pool: "threads" } };');
	const isPassed = (tests: readonly string[]): boolean => {
		const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--testTimeout', '60000', ...tests];
		return spawnSync(process.execPath, args, { cwd: copy, timeout: 240_000, killSignal: 'SIGKILL' }).status === 0;
	};
	const random = randomOf(seed);
	const deadline = Date.now() + longest;
	const survivors: string[] = [];
	let tried = 0;
	for (const { folders, tests } of areas) {
		expect(isPassed(tests), `${tests.join(' ')} without a break`).toBe(true);
		const files = folders.flatMap((folder) =>
			readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
		);
		const all = files.filter((file) => file.endsWith('.ts')).flatMap(mutationsOf);
		const chosen = Array.from({ length: perArea }, () => all[Math.floor(random() * all.length)]);
		for (const { file, start, end, text } of chosen.filter((one) => one !== undefined)) {
			if (Date.now() > deadline) continue;
			const source = readFileSync(file, 'utf8');
			writeFileSync(join(copy, file), source.slice(0, start) + text + source.slice(end));
			const line = source.slice(0, start).split('\n').length;
			if (isPassed(tests)) survivors.push(`${file}:${line}: ${source.slice(start, end).slice(0, 90)} became ${text}`);
			writeFileSync(join(copy, file), source);
			tried++;
		}
	}
	const score = Math.round((100 * (tried - survivors.length)) / tried);
	console.log(`\nNoticed ${score} % of ${tried} breaks (MUTATION_SEED=${seed}). Not noticed:\n${survivors.join('\n')}`);
	expect(score).toBeGreaterThan(50);
});
