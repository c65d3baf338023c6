import type { Marks, Schema } from './json-schema.ts';

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
