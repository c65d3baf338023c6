import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import type { OpenApi } from '#service/openapi/json-schema.ts';

/** Optimizing a validator takes as long as compiling it, and most validators run only a few times. */
const options: Options = { strict: false, code: { optimize: false } };

/** Compiles the JSON Schemas of the document. */
export class DocumentSchemas {
	readonly #json = new Ajv2020(options);
	/** Reads texts as the numbers that the schema asks for, and one value as a list of one. */
	readonly #xml = new Ajv2020({ ...options, coerceTypes: 'array' });

	constructor(document: OpenApi) {
		this.#json.addSchema(document, 'openapi.json');
		this.#xml.addSchema(document, 'openapi.json');
	}

	/**
	 * What is wrong with a value; undefined if nothing is.
	 * @param path of the schema in the document
	 * @param format what the value was read from
	 */
	check(path: readonly string[], value: unknown, format: 'json' | 'xml' = 'json'): string | undefined {
		const ajv = format === 'json' ? this.#json : this.#xml;
		const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
		const validate = ajv.getSchema(`openapi.json#/${pointer.join('/')}`);
		if (validate === undefined) return `the document has no schema at ${path.join(' ')}`;
		return validate(value) === true ? undefined : ajv.errorsText(validate.errors);
	}
}
