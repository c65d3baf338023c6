import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { coreName, libraryName, modulesFor } from '../engine/program/modules.ts';
import surroundingsText from '#content/exercises/shared/surroundings.ts.txt?raw';

/** What the surroundings declare: the members of each export. */
const surroundings = new Map(
	[...surroundingsText.matchAll(/((?:^\/\/ .*\n)*)^export const (\w+): \{\n([^]*?)^\};/gm)].map(
		([, , name = '', body = '']) => [name, membersIn(body)] as const
	)
);
const fetchOptions: readonly Completion[] = [
	{ label: 'method', detail: "'GET' | 'POST'", apply: "method: '" },
	{ label: 'headers', detail: 'Record<string, string>', apply: 'headers: { ' },
	{ label: 'body', detail: 'URLSearchParams | string', apply: 'body: ' },
	{ label: 'redirect', detail: "'follow' | 'manual' | 'error'", apply: "redirect: '" },
	{ label: 'signal', detail: 'AbortSignal', apply: 'signal: ' }
];
const responseMembers: readonly Completion[] = [
	{ label: 'status', detail: 'number', type: 'property' },
	{ label: 'ok', detail: 'boolean', type: 'property' },
	{ label: 'headers', detail: 'Headers', type: 'property' },
	{ label: 'json', detail: '(): Promise<any>', type: 'method' },
	{ label: 'text', detail: '(): Promise<string>', type: 'method' }
];
const paths: readonly Completion[] = ['./surroundings', `./${coreName}`, libraryName].map((label) => ({ label }));
const globals: readonly Completion[] = [
	{ label: 'fetch', detail: '(url, init?): Promise<Response>', type: 'function' },
	...[...surroundings.keys()].map((label) => ({ label, detail: './surroundings', type: 'constant' }))
];

/** Completes what programs find in the surroundings, the modules and `fetch`. Names of the program itself are completed by its language. */
export async function completeProgram(context: CompletionContext): Promise<CompletionResult | null> {
	const source = context.state.doc.toString();
	const path = context.matchBefore(/\bfrom\s*['"][\w./-]*/);
	if (path !== null) return { from: context.pos - (/[\w./-]*$/.exec(path.text)?.[0].length ?? 0), options: [...paths] };
	const node = syntaxTree(context.state).resolveInner(context.pos, -1);
	if (/Comment|String/.test(node.name)) return null;
	const member = context.matchBefore(/\w+\.\w*$/);
	if (member !== null) {
		const [name = '', typed = ''] = member.text.split('.');
		const options = await membersOf(name, source);
		return options === undefined ? null : { from: context.pos - typed.length, options: [...options] };
	}
	const word = context.matchBefore(/\w+$/);
	if (word === null && !context.explicit) return null;
	const from = word?.from ?? context.pos;
	const imported = /import\s*\{[^}]*$/.test(context.state.sliceDoc(0, from)) ? importable(source, from) : undefined;
	if (imported !== undefined) return { from, options: [...(await imported)] };
	return { from, options: isFetchOption(context) ? [...fetchOptions] : [...globals] };
}

async function membersOf(name: string, source: string): Promise<readonly Completion[] | undefined> {
	const declared = surroundings.get(name);
	if (declared !== undefined) return declared;
	const path = new RegExp(`import \\* as ${name} from ['"]([^'"]+)['"]`).exec(source)?.[1];
	if (path !== undefined) return exportsOf(path);
	return new RegExp(`${name}\\s*=\\s*await\\s+(?:browser\\.)?fetch\\(`).test(source) ? responseMembers : undefined;
}

/** What can be imported between the braces at a position. */
async function importable(source: string, at: number): Promise<readonly Completion[]> {
	const path = /^[^}]*\}\s*from\s*['"]([^'"]+)['"]/.exec(source.slice(at))?.[1] ?? '';
	return path === './surroundings'
		? [...surroundings.keys()].map((label) => ({ label, type: 'constant' }))
		: exportsOf(path);
}

/** What a module exports, and the parameters of functions. */
async function exportsOf(path: string): Promise<readonly Completion[]> {
	const { [libraryName]: library = '', ...core } = await modulesFor(`import {} from '${path}'`);
	const compiled = path === libraryName ? library : Object.values(core).join('\n');
	return [...compiled.matchAll(/exports\.(\w+) = \1;/g)].map(([, label = '']) => {
		const parameters = new RegExp(`function ${label}\\(([^)]*)\\)`).exec(compiled)?.[1];
		return { label, ...(parameters === undefined ? {} : { detail: `(${parameters.trim()})`, type: 'function' }) };
	});
}

/** Whether a property of the second argument of `fetch` is written here. */
function isFetchOption({ state, pos }: CompletionContext): boolean {
	let node = syntaxTree(state).resolveInner(pos, -1);
	while (node.name !== 'ObjectExpression' && node.parent !== null && node.name !== 'ArgList') node = node.parent;
	const called = node.parent?.name === 'ArgList' ? node.parent.parent?.firstChild : undefined;
	if (node.name !== 'ObjectExpression' || called === null || called === undefined) return false;
	return /\bfetch$/.test(state.sliceDoc(called.from, called.to));
}

/** @param body lines such as `name: type; // note` and `name(parameter: type): type;` */
function membersIn(body: string): Completion[] {
	return [...body.matchAll(/^ {2}(\w+)(\(.*\))?: ([^;]+);(?:\s*\/\/ (.*))?$/gm)].map(
		([, label = '', parameters, type = '', note]) => ({
			label,
			detail: parameters === undefined ? type : `${parameters}: ${type}`,
			type: parameters === undefined ? 'property' : 'method',
			...(note === undefined ? {} : { info: note })
		})
	);
}
