import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { operations, type Operation } from '#service/openapi/operations.ts';
import type { ExamService } from '../client-exam/exam-service.ts';
import { resultText, textArgument, ToolError, type Arguments, type Tool } from './tool.ts';

type Sandbox = { readonly id: string; readonly baseUrl: string; readonly key: string };

const sandboxProperty = { type: 'string', description: 'Id of a sandbox that you created. Default: the latest one.' };
const createSandbox = 'createSandbox';

/** The sandboxes that an agent has created, and what it can do with them. */
export class ControlTools {
	readonly #service: ExamService;
	readonly #key: string | undefined;
	readonly #sandboxes: Sandbox[] = [];

	/** @param key may create sandboxes, where not everyone may */
	constructor(service: ExamService, key: string | undefined) {
		this.#service = service;
		this.#key = key;
	}

	/** A tool for each endpoint of the control API that a sandbox's owner calls and that responds with JSON. */
	get tools(): Tool[] {
		return operations.filter(isForAgents).map((operation) => ({
			name: toolName(operation.id),
			description: `${operation.summary}. ${operation.description ?? ''}`,
			inputSchema: inputOf(operation),
			annotations: { readOnlyHint: operation.method === 'GET', destructiveHint: operation.destroys === true },
			call: async (args: Arguments) => resultText(await this.#call(operation, args))
		}));
	}

	/** Sends a request of the control API. @throws ToolError if the service rejects it */
	async request(method: string, path: string, args: Arguments, body?: unknown): Promise<unknown> {
		const { baseUrl, key } = this.#sandboxOf(args);
		return this.#send(`${baseUrl}${path}`, method, key, body);
	}

	async #call(operation: Operation, args: Arguments): Promise<unknown> {
		const { method, id } = operation;
		const query = Object.keys(entriesOf(operation.query)).flatMap((name) => {
			const value = args[name];
			return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
		});
		const path = pathOf(operation, args) + (query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`);
		if (id !== createSandbox) {
			const sandbox = this.#sandboxOf(args);
			const result = await this.request(method, path, args, args.body);
			if (id === 'deleteSandbox') this.#sandboxes.splice(this.#sandboxes.indexOf(sandbox), 1);
			return result;
		}
		const created = await this.#send(`${this.#service.rootUrl}${path}`, method, this.#key, args.body);
		this.#remember(created);
		return created;
	}

	async #send(url: string, method: string, key: string | undefined, body: unknown): Promise<unknown> {
		const headers = new Headers({ accept: 'application/json' });
		if (key !== undefined) headers.set('x-tollgate-key', key);
		if (body !== undefined) headers.set('content-type', 'application/json');
		const response = await this.#service.fetch(url, {
			method,
			headers,
			body: body === undefined ? null : JSON.stringify(body)
		});
		const text = await response.text();
		if (!response.ok)
			throw new ToolError(`The service responded with status ${response.status}: ${text.slice(0, 2000)}`);
		return JSON.parse(text);
	}

	#sandboxOf({ sandbox }: Arguments): Sandbox {
		const found = sandbox === undefined ? this.#sandboxes.at(-1) : this.#sandboxes.find(({ id }) => id === sandbox);
		if (found === undefined) throw new ToolError('There is no such sandbox. Create one with create_sandbox first.');
		return found;
	}

	#remember(created: unknown): void {
		if (typeof created !== 'object' || created === null) return;
		if (!('id' in created && 'base_url' in created && 'key' in created)) return;
		this.#sandboxes.push({ id: String(created.id), baseUrl: String(created.base_url), key: String(created.key) });
	}
}

/** Agents create a sandbox first. What works at the root only is for operators, and an agent reads no streams. */
function isForAgents({ id, isControl, access, path, responses }: Operation): boolean {
	if (id === createSandbox) return true;
	const hasJson = Object.values(responses).some(({ json }) => json !== undefined);
	const isAtRoot = path.startsWith('/control/sandboxes') || path.startsWith('/control/classes');
	return isControl && hasJson && access === undefined && !isAtRoot;
}

/** `moveClock` is `move_clock`. */
function toolName(id: string): string {
	return id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function inputOf({ id, path, query, body }: Operation): Tool['inputSchema'] {
	const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
	const queryNames = Object.keys(entriesOf(query));
	return {
		type: 'object',
		properties: {
			...(id === createSandbox ? {} : { sandbox: sandboxProperty }),
			...Object.fromEntries([...names, ...queryNames].map((name) => [name, { type: 'string' }])),
			...(body === undefined ? {} : { body: schemaOf(body.schema) })
		},
		required: [...names, ...(body === undefined || body.optional === true ? [] : ['body'])],
		additionalProperties: false
	};
}

function schemaOf(schema: v.GenericSchema): object {
	// What only code can check is left out. The service checks it.
	const { $schema: _version, ...rest } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' });
	return rest;
}

/** The fields of a query. */
function entriesOf(schema: v.GenericSchema | undefined): object {
	const properties =
		schema === undefined ? undefined : toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' }).properties;
	return properties ?? {};
}

function pathOf({ path }: Operation, args: Arguments): string {
	return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textArgument(args, name)));
}
