import { decodePercent } from '#wire/percent.ts';
import * as v from 'valibot';
import type { WireResult } from '#wire/message.ts';
import { bodyTooLarge, respondError, respondJson } from '../responses.ts';
import { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';
import { check } from '../check.ts';
import { endpoint, type Endpoint } from '../runner.ts';
import { accessDenied, findAccess } from './control-access.ts';

/** The context of a control request. */
export class ControlContext extends Context {
	/** The path segments below `/control/`, decoded. */
	get segments(): string[] {
		const parts = this.path.replace(/\/$/, '').split('/').slice(2);
		return parts.map((part) => decodePercent(part, false) ?? '');
	}

	/**
	 * The JSON body, held to a schema: what the schema does not name is refused.
	 * @throws ProtocolError `invalid_request` that names the field
	 */
	read<S extends v.GenericSchema>(schema: S): v.InferOutput<S> {
		const result = v.safeParse(schema, this.readJson(refuseInherited), { abortEarly: true });
		if (result.success) return result.output;
		const [issue] = result.issues;
		const field = v.getDotPath(issue)?.slice(0, 60);
		const description = `${field ?? 'Invalid body'}: ${messageOf(issue)}`;
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

/** Handles a control request. Returns the data of a 200 response, or a complete response. */
export type Handler = (context: ControlContext) => Promise<WireResult | object> | WireResult | object;

/** An endpoint of the control API that needs the right to control the sandbox. */
export function protectedEndpoint(act: Handler): Endpoint {
	return endpoint(ControlContext, [requireAccess, runHandler(act)], respondError);
}

/** An endpoint of the control API that needs no key. */
export function publicEndpoint(act: Handler): Endpoint {
	return endpoint(ControlContext, [runHandler(act)], respondError);
}

const requireAccess = check<ControlContext>(
	'control.access_granted',
	'The caller may control this sandbox',
	'',
	async (context) => {
		const right = await findAccess(context);
		if (right === undefined) throw accessDenied(context);
		context.note(right);
	}
);

const runHandler = (act: Handler) =>
	check<ControlContext>('control.request_handled', 'The request is handled', '', async (context) => {
		const result = await act(context);
		return isResult(result) ? result : respondJson(context, 200, result);
	});

function messageOf({ type, expected, received, message }: v.BaseIssue<unknown>): string {
	if (type === 'strict_object' && expected === 'never') return 'There is no such field. Remove it.';
	return type === 'strict_object' && received === 'undefined' ? 'This field is required.' : message.slice(0, 200);
}

function isResult(result: WireResult | object): result is WireResult {
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
function refuseInherited(name: string, value: unknown): unknown {
	if (name in Object.prototype) throw new TypeError(name);
	return value;
}
