import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

const specifier = /(from |import\()(['"])([#.][^'"]*)\.ts\2/g;

/**
 * Writes the types of a library beside its code: those that its entries lead to, with the layers' names (`#api/message.ts`) written as
 * paths, since only this project knows the names, and without Valibot, whose types are 1.3 MB.
 * @param root the project's folder
 * @param entries below `src`, without ending
 * @param out the folder of the types, below the root
 */
export function writeDeclarations(root: string, entries: readonly string[], out: string): void {
	const src = join(root, 'src');
	const { emitted, problems } = emit(
		src,
		entries.map((entry) => join(src, `${entry}.ts`))
	);
	const waiting = [...entries];
	const written = new Set<string>();
	for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
		if (written.has(entry)) continue;
		written.add(entry);
		const text = emitted.get(entry);
		const problem = problems.get(entry);
		if (problem !== undefined || text === undefined) throw new Error(problem ?? `No types were made for ${entry}.ts`);
		const path = join(root, out, `${entry}.d.ts`);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(
			path,
			text.replace(specifier, (_, before: string, quote: string, name: string) => {
				const target = name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(entry), name);
				waiting.push(target);
				const way = posix.relative(posix.dirname(entry), target);
				return `${before}${quote}${way.startsWith('.') ? way : `./${way}`}.js${quote}`;
			})
		);
	}
}

/**
 * The declarations of all files that the entries lead to, and what is wrong with them, by path below `src` without ending. A file
 * that no type leads to may have types that cannot be written.
 */
function emit(
	src: string,
	entries: readonly string[]
): { emitted: ReadonlyMap<string, string>; problems: ReadonlyMap<string, string> } {
	const nameOf = (path: string) =>
		relative(src, resolve(path))
			.replace(/(?:\.d)?\.ts$/, '')
			.split(sep)
			.join('/');
	const host = ts.createCompilerHost({});
	const emitted = new Map<string, string>();
	host.writeFile = (path, text) => {
		emitted.set(nameOf(path), text);
	};
	const program = ts.createProgram({
		rootNames: entries,
		host,
		options: {
			strict: true,
			exactOptionalPropertyTypes: true,
			noUncheckedIndexedAccess: true,
			skipLibCheck: true,
			// `npm run check` checks the types.
			declaration: true,
			emitDeclarationOnly: true,
			noCheck: true,
			allowImportingTsExtensions: true,
			types: [],
			target: ts.ScriptTarget.ES2022,
			module: ts.ModuleKind.ESNext,
			rootDir: src,
			outDir: src,
			moduleResolution: ts.ModuleResolutionKind.Bundler,
			lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts']
		}
	});
	const { diagnostics } = program.emit(undefined, undefined, undefined, undefined, {
		afterDeclarations: [withoutSchemas(program.getTypeChecker())]
	});
	const problems = new Map(
		diagnostics.map((one) => [nameOf(one.file?.fileName ?? entries[0] ?? src), ts.formatDiagnostic(one, host)])
	);
	return { emitted, problems };
}

/** Writes the outputs of schemas as plain types, and removes the schemas. */
function withoutSchemas(checker: ts.TypeChecker): ts.TransformerFactory<ts.SourceFile | ts.Bundle> {
	return () => (file) => {
		if (!ts.isSourceFile(file)) return file;
		const statements = file.statements.flatMap((statement): ts.Statement[] => {
			if (ts.isImportDeclaration(statement) && isValibot(statement.moduleSpecifier)) return [];
			if (ts.isVariableStatement(statement) && statement.declarationList.declarations.some(isSchema)) return [];
			if (!ts.isTypeAliasDeclaration(statement) || !isOutput(statement.type)) return [statement];
			const declared = ts.getParseTreeNode(statement, ts.isTypeAliasDeclaration) ?? statement;
			const type = checker.typeToTypeNode(
				checker.getTypeAtLocation(declared.name),
				declared,
				ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias
			);
			const { modifiers, name, typeParameters } = statement;
			return type === undefined ? [] : [ts.factory.createTypeAliasDeclaration(modifiers, name, typeParameters, type)];
		});
		return ts.factory.updateSourceFile(file, statements);
	};
}

const isValibot = (node: ts.Node) => ts.isStringLiteral(node) && node.text === 'valibot';

/** Whether its type is one of `v`, the name that Valibot is imported by. */
const isSchema = ({ type }: ts.VariableDeclaration) =>
	type !== undefined && ts.isTypeReferenceNode(type) && isOfValibot(type);

const isOutput = (type: ts.TypeNode) =>
	ts.isTypeReferenceNode(type) &&
	isOfValibot(type) &&
	ts.isQualifiedName(type.typeName) &&
	type.typeName.right.text === 'InferOutput';

const isOfValibot = ({ typeName }: ts.TypeReferenceNode) =>
	ts.isQualifiedName(typeName) && ts.isIdentifier(typeName.left) && typeName.left.text === 'v';
