import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApi } from '#service/openapi/document-types.ts';

/** Compiles the JSON Schemas of the document. */
export class DocumentSchemas {
	readonly #ajv = new Ajv2020({ strict: false });

	constructor(document: OpenApi) {
		this.#ajv.addSchema(document, 'openapi.json');
	}

	/**
	 * What is wrong with a value; undefined if nothing is.
	 * @param path of the schema in the document
	 */
	check(path: readonly string[], value: unknown): string | undefined {
		const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
		const validate = this.#ajv.getSchema(`openapi.json#/${pointer.join('/')}`);
		if (validate === undefined) return `the document has no schema at ${path.join(' ')}`;
		return validate(value) === true ? undefined : this.#ajv.errorsText(validate.errors);
	}
}
