import * as v from 'valibot';
import { type Operation, operations } from '#service/openapi/operations.ts';
import type { ExamService } from '../client-exam/exam-service.ts';
import { defineTool, jsonSchemaOf, readArguments, resultText, ToolError, type Tool, type ToolInput } from './tool.ts';

type Sandbox = { readonly id: string; readonly baseUrl: string; readonly key: string };
type Arguments = Readonly<Record<string, unknown>>;

/** Which sandbox a tool uses. */
export const sandboxArgument = v.exactOptional(
	v.pipe(v.string(), v.description('Id of a sandbox that you created. Default: the latest one.'))
);
const createSandbox = 'createSandbox';
/** The operations that agents need most have separate tools. */
const common = [createSandbox, 'readTraffic', 'addFault', 'moveClock'];

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

	/** A tool for each common operation of a sandbox, and one for all others: each tool costs an agent a part of its context. */
	get tools(): Tool[] {
		return [
			...operations.filter((operation) => isForAgents(operation) && common.includes(operation.id)).map(this.#toolOf),
			this.#anyOperation()
		];
	}

	/** Sends a request of the control API. @throws ToolError if the service rejects it */
	async request(method: string, path: string, args: Arguments, body?: unknown): Promise<unknown> {
		const { baseUrl, key } = this.#sandboxOf(args);
		return this.#send(`${baseUrl}${path}`, method, key, body);
	}

	readonly #toolOf = (operation: Operation): Tool =>
		defineTool({
			name: toolName(operation.id),
			description: descriptionOf(operation),
			input: inputOf(operation),
			annotations: {
				readOnlyHint: operation.method === 'GET',
				destructiveHint: operation.destroys === true,
				openWorldHint: false
			},
			call: async (args) => resultText(await this.#call(operation, args))
		});

	#anyOperation(): Tool {
		return defineTool({
			name: 'control',
			description:
				'Run any operation of the control API: settings, accounts, applications, credentials, faults, limits, snapshots. Without an operation, lists all. With an operation and no arguments, describes its arguments, unless it takes none.',
			input: v.strictObject({
				operation: v.exactOptional(v.pipe(v.string(), v.description('Such as change_settings.'))),
				arguments: v.exactOptional(
					v.pipe(v.record(v.string(), v.unknown()), v.description('Of the operation, as its description says.'))
				)
			}),
			annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
			call: async ({ operation: name, arguments: args }) => {
				const all = operations.filter(isForAgents);
				if (name === undefined) return all.map(({ id, summary }) => `${toolName(id)}: ${summary}`).join('\n');
				const operation = all.find(({ id }) => toolName(id) === name);
				if (operation === undefined)
					throw new ToolError(`There is no operation ${name}. Call control without arguments for the list.`);
				const input = inputOf(operation);
				const needsArguments = Object.keys(input.entries).some((key) => key !== 'sandbox');
				if (args === undefined && needsArguments)
					return resultText({ description: descriptionOf(operation), arguments: jsonSchemaOf(input) });
				return resultText(await this.#call(operation, readArguments(name, input, args ?? {})));
			}
		});
	}

	async #call(operation: Operation, args: Arguments): Promise<unknown> {
		const { method, id } = operation;
		const query = Object.keys(queryOf(operation)).flatMap((name) => {
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

const descriptionOf = ({ summary, description }: Operation): string =>
	description === undefined ? `${summary}.` : `${summary}. ${description}`;

/** The service validates the rest of the body: its messages name the field. */
function inputOf(operation: Operation): ToolInput {
	const { id, path, body } = operation;
	const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, v.pipe(v.string(), v.nonEmpty())]);
	const parameters = Object.keys(queryOf(operation)).map((name) => [
		name,
		v.exactOptional(v.union([v.string(), v.number()]))
	]);
	return v.strictObject({
		...(id === createSandbox ? {} : { sandbox: sandboxArgument }),
		...Object.fromEntries([...segments, ...parameters]),
		...(body === undefined ? {} : { body: body.optional === true ? v.exactOptional(body.schema) : body.schema })
	});
}

/** The fields of a query. */
function queryOf({ query }: Operation): object {
	return query === undefined ? {} : (jsonSchemaOf(query).properties ?? {});
}

function pathOf({ path }: Operation, args: Arguments): string {
	return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
}
