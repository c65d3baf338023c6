import type * as v from 'valibot';
import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { DialectName } from '#api/dialect.ts';
import { descriptionOf } from './field-descriptions.ts';

/** What the whole document says of the dialects. That of a sandbox has no marks. */
export type Marks = {
	/** The only dialect that has it. */
	readonly 'x-dialect'?: DialectName | undefined;
	/** The only dialect that requires it. */
	readonly 'x-required-in'?: DialectName | undefined;
	/** The property of `Dialect` that is its only value. */
	readonly 'x-said-by'?: 'tokenType' | undefined;
	/** What it means in each dialect. */
	readonly 'x-descriptions'?: Readonly<Record<DialectName, string>> | undefined;
};

/** A JSON Schema (2020-12), with the XML notes of OpenAPI. */
export type Schema = JsonSchema & {
	readonly xml?: { readonly name?: string; readonly attribute?: boolean };
	/** What an encoded text contains (section 8.5 of its validation vocabulary). */
	readonly contentSchema?: Schema;
} & Pick<Marks, 'x-dialect' | 'x-required-in' | 'x-said-by'>;

/** Of references to schemas. */
const prefix = '#/components/schemas/';

/** What fields contain whose text is encoded. */
const contents: ReadonlyMap<string, Pick<Schema, 'contentMediaType' | 'contentSchema'>> = new Map([
	['id_token', { contentMediaType: 'application/jwt', contentSchema: { $ref: `${prefix}IdTokenClaims` } }]
]);

/** Converts valibot schemas. A schema with a name becomes a reference. */
export class SchemaConverter {
	readonly #sources: Readonly<Record<string, v.GenericSchema>>;
	readonly named: Readonly<Record<string, Schema>>;

	/** @param modules the exports of the modules that define the schemas: each gets the name of its export */
	constructor(modules: readonly Readonly<Record<string, unknown>>[]) {
		const entries = modules.flatMap((module) => Object.entries(module));
		this.#sources = Object.fromEntries(
			entries.flatMap(([name, value]) => (isObjectSchema(value) ? [[nameOf(name), value] as const] : []))
		);
		const definitions = Object.entries(toJsonSchemaDefs(this.#sources, config));
		this.named = Object.fromEntries(definitions.map(([name, schema]) => [name, describe(schema, name)]));
	}

	/** A schema, or the reference to it. */
	convert(schema: v.GenericSchema): Schema {
		const name = Object.keys(this.#sources).find((source) => this.#sources[source] === schema);
		if (name !== undefined) return { $ref: prefix + name };
		return describe(toJsonSchema(schema, { ...config, definitions: this.#sources }), '');
	}
}

/** The name that a reference points to. */
export function referenceName({ $ref }: Schema): string | undefined {
	return $ref?.startsWith(prefix) === true ? $ref.slice(prefix.length) : undefined;
}

const config = {
	target: 'draft-2020-12',
	typeMode: 'input',
	// Checks that only code can express are left out: a document cannot describe them.
	errorMode: 'ignore',
	overrideRef: ({ referenceId }: { readonly referenceId: string }) => prefix + referenceId,
	overrideAction: ({
		valibotAction,
		jsonSchema
	}: {
		readonly valibotAction: object;
		readonly jsonSchema: JsonSchema;
	}) =>
		// JSON Schema has no patterns that ignore the letter case.
		'requirement' in valibotAction &&
		valibotAction.requirement instanceof RegExp &&
		valibotAction.requirement.ignoreCase
			? jsonSchema
			: undefined
} as const;

function isObjectSchema(value: unknown): value is v.GenericSchema {
	if (typeof value !== 'object' || value === null || !('type' in value)) return false;
	return ['object', 'strict_object', 'union', 'variant'].includes(String(value.type));
}

/** `newFault` is `NewFault`. */
function nameOf(name: string): string {
	return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * Adds the descriptions of fields.
 * @param owner the name of the schema
 */
function describe(schema: JsonSchema, owner: string): Schema {
	const inner = <T extends JsonSchema | boolean | undefined>(part: T) =>
		typeof part === 'object' ? describe(part, owner) : part;
	const {
		$schema: _schema,
		$defs: _definitions,
		properties,
		items,
		prefixItems,
		anyOf,
		oneOf,
		additionalProperties,
		required,
		...rest
	} = schema;
	const fields = Object.entries(properties ?? {}).map(([name, property]): [string, JsonSchema | boolean] => {
		const description = descriptionOf(owner, name);
		return [
			name,
			typeof property === 'boolean' || description === undefined
				? inner(property)
				: { ...describe(property, owner), ...contents.get(name), description }
		];
	});
	return {
		...rest,
		...(properties && { properties: Object.fromEntries(fields) }),
		...(required && required.length > 0 && { required }),
		...(additionalProperties !== undefined && { additionalProperties: inner(additionalProperties) }),
		...(items && { items: Array.isArray(items) ? items.map(inner) : inner(items) }),
		...(prefixItems && { prefixItems: prefixItems.map(inner) }),
		...(anyOf && { anyOf: anyOf.map(inner) }),
		...(oneOf && { oneOf: oneOf.map(inner) })
	};
}

/** The parts of OpenAPI 3.1 that the document uses. */
export type OpenApi = {
	readonly openapi: '3.1.1';
	readonly info: { readonly title: string; readonly version: string; readonly description: string };
	readonly servers: readonly { readonly url: string; readonly description: string }[];
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly paths: Readonly<Record<string, PathItem>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, Schema>>;
		readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
	};
};

export type PathItem = Readonly<Record<string, OperationObject>>;

export type OperationObject = {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description?: string | undefined;
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: { readonly required: boolean; readonly content: Content } | undefined;
	readonly responses: Readonly<Record<string, ResponseObject>>;
	readonly security: readonly Readonly<Record<string, readonly string[]>>[];
	/** It deletes data, or ends access. */
	readonly 'x-destroys'?: boolean | undefined;
} & Marks;

export type Parameter = {
	readonly name: string;
	readonly in: 'path' | 'query';
	readonly required: boolean;
	readonly description?: string | undefined;
	readonly schema: Schema;
	readonly example?: unknown;
} & Marks;

type Header = {
	readonly description: string;
	readonly required: boolean;
	readonly schema: Schema;
} & Pick<Marks, 'x-dialect'>;

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export type ResponseObject = {
	readonly description: string;
	readonly headers?: Readonly<Record<string, Header>>;
	readonly content?: Content;
} & Pick<Marks, 'x-descriptions'>;

export type SecurityScheme = {
	readonly type: 'apiKey' | 'http';
	readonly description: string;
	readonly name?: string;
	readonly in?: 'header' | 'query' | 'cookie';
	readonly scheme?: string;
} & Pick<Marks, 'x-dialect'>;
