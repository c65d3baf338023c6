import * as v from 'valibot';
import type { WireAnswer } from '#wire/message.ts';
import { answerError, answerJson } from '../responses.ts';
import { Call } from '../context.ts';
import { decodePercent, decodeUtf8 } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { endpoint, step, type Endpoint } from '../runner.ts';
import { noRight, rightOf } from './control-access.ts';

/** A call of the control API while it is being answered. */
export class ControlCall extends Call {
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
		const result = v.safeParse(schema, parseBody(this), { abortEarly: true });
		if (result.success) return result.output;
		const [issue] = result.issues;
		const field = v.getDotPath(issue);
		const place = field === null ? 'The body' : `The field ${field.slice(0, 60)}`;
		throw new ProtocolError('invalid_request', `${place} is not as it should be: ${issue.message.slice(0, 200)}.`);
	}
}

/** Does what a control asks for, and returns the data to answer with, or a whole answer. */
export type Act = (call: ControlCall) => Promise<WireAnswer | object> | WireAnswer | object;

/** An endpoint of the control API that needs the right to control the sandbox. */
export function control(act: Act): Endpoint {
	return endpoint(ControlCall, [mayControl, carryOut(act)], answerError);
}

/** An endpoint of the control API that anybody may call. */
export function open(act: Act): Endpoint {
	return endpoint(ControlCall, [carryOut(act)], answerError);
}

const mayControl = step<ControlCall>('the caller may control this sandbox', 'design §1', async (call) => {
	const right = await rightOf(call);
	if (right === undefined) throw noRight();
	call.saw(right);
});

const carryOut = (act: Act) =>
	step<ControlCall>('what is asked for can be done', 'design §6', async (call) => {
		const result = await act(call);
		return isAnswer(result) ? result : answerJson(call, 200, result);
	});

function isAnswer(result: WireAnswer | object): result is WireAnswer {
	return 'kind' in result && (result.kind === 'response' || result.kind === 'stream');
}

function parseBody(call: ControlCall): unknown {
	if (call.request.oversized)
		throw new ProtocolError('payload_too_large', 'The body is longer than this control takes.');
	const type = (call.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
	const body = decodeUtf8(call.request.body);
	if (type !== 'application/json' || body === undefined) {
		throw new ProtocolError('invalid_request', 'Send JSON in UTF-8: Content-Type: application/json');
	}
	const value = parse(body);
	// To a schema, a list is an object without fields.
	if (value !== undefined && !Array.isArray(value)) return value;
	throw new ProtocolError('invalid_request', 'The body is not a JSON object, or has a field that no control takes.');
}

function parse(body: string): unknown {
	try {
		return JSON.parse(body, refuseInherited);
	} catch {
		return undefined;
	}
}

/** A field named like something that every object has (`__proto__`, `constructor`) would slip past a schema. */
function refuseInherited(name: string, value: unknown): unknown {
	if (name in Object.prototype) throw new TypeError(name);
	return value;
}
