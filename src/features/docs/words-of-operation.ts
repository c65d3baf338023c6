import { html } from '#lib/html.ts';
import { exampleResource, resourceFields } from '#client/api-in-world.ts';
import type { World } from '#client/world.ts';
import { wordsOf } from '#client/world-words.ts';
import type { DocOperation, DocResponse } from './doc-page.ts';

/** An operation whose examples have the words of a world. Its descriptions are HTML, which is translated where it is shown. */
export function operationIn(world: World, operation: DocOperation): DocOperation {
	const inWorld = wordsOf(world);
	const inJson = wordsOf(world, (word) => JSON.stringify(word).slice(1, -1));
	const { parameters, body, responses } = operation;
	const values = Object.entries(body?.values ?? {}).map(([name, value]) => [name, inWorld(value)] as const);
	return {
		...operation,
		path: inWorld(operation.path),
		summary: inWorld(operation.summary),
		parameters: parameters.map((one) => ({ ...one, example: inWorld(one.example) })),
		...(body && {
			body: { ...body, example: inJson(body.example), ...(body.values && { values: Object.fromEntries(values) }) }
		}),
		responses: responses
			.map((one) => (operation.id === 'character' ? withFields(world, one) : one))
			.map((one) => ({ ...one, ...(one.example && { example: inJson(one.example) }) }))
	};
}

/** A response with a resource, with the fields that resources of the world have. Errors have no example. */
function withFields(world: World, response: DocResponse): DocResponse {
	const fields = resourceFields(world);
	if (fields === undefined || response.example === undefined) return response;
	return {
		...response,
		fields: fields.map(({ name, label, scopes }) => ({
			name,
			type: name === 'name' ? 'string' : 'any',
			required: name === 'name',
			description:
				html`${label ?? (name === 'name' ? 'The name' : name)}.${scopes.map((scope) => html` Needs <code>${scope}</code>.`)}`
					.html
		})),
		example: JSON.stringify(exampleResource(world, fields), undefined, 2)
	};
}
