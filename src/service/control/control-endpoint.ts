import * as v from 'valibot';
import type { Declaration, Declarations, PathParameters, ResponseBody, Sendable, ValidatedBody } from '#api/declare.ts';
import type { WireResult } from '#api/message.ts';
import { bodyTooLarge, respondError, respondJson } from '../core/responses.ts';
import { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { check, endpoint, type Endpoint } from '../core/runner.ts';
import { pathParameters } from '../core/routes.ts';
import { accessDenied, type ControlAccess, findAccess } from '../access/control-access.ts';
import type { BaseIssue } from 'valibot';
import { countText } from '#lib/count-text.ts';

export class ControlContext extends Context {
	/** By which right the caller controls the sandbox. Undefined before it was asked for. */
	right: ControlAccess | undefined;

	/**
	 * The JSON body, held to a schema: what the schema does not name is rejected.
	 * @throws ProtocolError `invalid_request` that names the field
	 */
	read<S extends v.GenericSchema>(schema: S): v.InferOutput<S> {
		const result = v.safeParse(schema, this.readJson(rejectInherited), { abortEarly: true });
		if (result.success) return result.output;
		const [issue] = result.issues;
		const field = v.getDotPath(issue)?.slice(0, 60);
		const description = `${field ?? 'Invalid body'}: ${issueText(issue)}`;
		throw new ProtocolError('invalid_request', description, { field });
	}

	/**
	 * The JSON body, an object.
	 * @param reviver called for each value in it
	 * @throws ProtocolError `invalid_request`, `payload_too_large`
	 */
	readJson(reviver?: (name: string, value: unknown) => unknown): unknown {
		if (this.request.bodyTooLarge) throw bodyTooLarge(this);
		const type = (this.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
		const body = this.bodyText;
		if (type !== 'application/json' || body === undefined) {
			throw new ProtocolError('invalid_request', 'Send JSON in UTF-8: Content-Type: application/json');
		}
		const value = parse(body, reviver);
		// To a schema, a list is an object without fields.
		if (value !== undefined && !Array.isArray(value)) return value;
		throw new ProtocolError('invalid_request', 'The body is not a JSON object, or has an unknown field.');
	}
}

/** The handler of each endpoint, by the key of its declaration. A missing or unknown one is a compile error. */
type Handlers<D extends Declarations> = {
	readonly [K in keyof D]: (context: ControlContext, input: Input<K, D[K]>) => Promise<Reply<D[K]>> | Reply<D[K]>;
};

/** What the declaration of an endpoint says of its requests. */
type Input<K, D> = {
	/** The JSON body, validated when it is read. Throws `invalid_request` that names the field. */
	readonly body: ValidatedBody<D>;
	/** The variable segments of the path, decoded. */
	readonly path: { readonly [Name in PathParameters<K>]: string };
};

/** The JSON of the declared response, or a complete response. */
type Reply<D> = Sendable<ResponseBody<D>> | WireResult;

/** Any of them. A method, since TypeScript compares the inputs of methods in both directions. */
type Handler = {
	handle(context: ControlContext, input: { body: unknown; path: unknown }): Promise<object> | object;
}['handle'];

/**
 * Creates endpoints of the control API.
 * @param declarations say who has access, what a body may contain, and the status of a response
 * @param handlers do the work
 */
export function implement<const D extends Declarations>(
	declarations: D,
	handlers: NoInfer<Handlers<D>>
): Readonly<Record<keyof D, Endpoint>>;
export function implement(
	declarations: Readonly<Record<string, Declaration>>,
	handlers: Readonly<Record<string, Handler>>
): Readonly<Record<string, Endpoint>> {
	const endpoints: Record<string, Endpoint> = {};
	for (const [key, declaration] of Object.entries(declarations)) {
		const handler = handlers[key];
		if (handler !== undefined) endpoints[key] = createEndpoint(declaration, handler);
	}
	return endpoints;
}

function createEndpoint(declaration: Declaration, handler: Handler): Endpoint {
	const status = Number(Object.keys(declaration.responses)[0]);
	const handle = check<ControlContext>('control.request_handled', async (context) => {
		const result = await handler(context, {
			get body() {
				return readBody(context, declaration.body);
			},
			get path() {
				return pathParameters(context.path);
			}
		});
		return isResult(result) ? result : respondJson(context, status, result);
	});
	// The access to a class depends on its code, so its handlers check it.
	const checks = declaration.access === undefined ? [requireAccess, handle] : [handle];
	return endpoint(ControlContext, checks, respondError);
}

function readBody(context: ControlContext, body: Declaration['body']): unknown {
	if (body === undefined) return undefined;
	const { request } = context;
	if (body.optional === true && request.body.length === 0 && !request.bodyTooLarge) return {};
	return body.isUnchecked === true ? context.readJson() : context.read(body.schema);
}

const requireAccess = check<ControlContext>('control.access_granted', async (context) => {
	const right = await findAccess(context);
	if (right === undefined) throw accessDenied(context);
	if (context.sandbox.state.locked === true && right !== 'admin key' && context.request.method !== 'GET')
		throw new ProtocolError(
			'forbidden',
			'Who shared this demo locked its controls. You can read them. Create a sandbox of your own to change something.'
		);
	context.right = right;
	context.note(right);
});

function isResult(result: object): result is WireResult {
	return 'kind' in result && (result.kind === 'response' || result.kind === 'stream');
}

function parse(body: string, reviver?: (name: string, value: unknown) => unknown): unknown {
	try {
		return JSON.parse(body, reviver);
	} catch {
		return undefined;
	}
}

/** A field named like something that every object has (`__proto__`, `constructor`) would slip past a schema. */
function rejectInherited(name: string, value: unknown): unknown {
	if (name in Object.prototype) throw new TypeError(name);
	return value;
}

const types: Readonly<Record<string, string>> = {
	...{ string: 'a text', number: 'a number', boolean: 'true or false', Array: 'a list', Object: 'an object' }
};

/** What to change about a value that a schema rejects. A check without a message gets none of the library, which repeats what was sent. */
export function issueText(issue: BaseIssue<unknown>): string {
	const { type, expected, received, message, input, requirement } = issue;
	if (type === 'strict_object' && expected === 'never') return 'There is no such field. Remove it.';
	if (type === 'strict_object' && received === 'undefined') return 'This field is required.';
	if (!/^Invalid .*: (?:Expected|Received) /s.test(message)) return message.slice(0, 200);
	if (typeof requirement === 'number' && /^(?:min|max)_length$/.test(type)) {
		const count = countText(requirement, Array.isArray(input) ? 'item' : 'character');
		return `Use at ${type === 'min_length' ? 'least' : 'most'} ${count}.`;
	}
	if (expected === null) return 'This value is not allowed here.';
	return `Use ${types[expected] ?? expected.replaceAll(/["()]/g, '').replaceAll('|', 'or').slice(0, 180)}.`;
}
