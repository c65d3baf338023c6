import type { World } from '#client/world.ts';
import { wordsOf } from '#client/world-words.ts';
import type { DocOperation } from './doc-page.ts';

/** An operation whose examples have the words of a world. Its descriptions are HTML, which is translated where it is shown. */
export function operationIn(world: World, operation: DocOperation): DocOperation {
	const inWorld = wordsOf(world);
	const inJson = wordsOf(world, (word) => JSON.stringify(word).slice(1, -1));
	const { parameters, body, responses } = operation;
	const values = Object.entries(body?.values ?? {}).map(([name, value]) => [name, inWorld(value)] as const);
	return {
		...operation,
		parameters: parameters.map((one) => ({ ...one, example: inWorld(one.example) })),
		...(body && {
			body: { ...body, example: inJson(body.example), ...(body.values && { values: Object.fromEntries(values) }) }
		}),
		responses: responses.map((one) => ({ ...one, ...(one.example && { example: inJson(one.example) }) }))
	};
}
