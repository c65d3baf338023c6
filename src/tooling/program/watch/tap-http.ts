import { ClientRequest, IncomingMessage } from 'node:http';
import { addChunk, begun, headerPairs, type Recorded, type Recorder } from './recorder.ts';

/** Undefined where a function has no such name. */
type Method = (...args: unknown[]) => unknown;

/**
 * Records what `node:http` and `node:https` send, and all libraries that are built on them. Requests go out as before: their methods
 * are called with the same arguments, and only looked at.
 */
export function tapHttp(recorder: Recorder): void {
	const requests = new WeakMap<ClientRequest, Recorded>();
	const recordOf = (request: ClientRequest): Recorded => {
		const known = requests.get(request);
		if (known !== undefined) return known;
		const host = String(request.getHeader('host') ?? request.host);
		const made = begun(request.method, `${request.protocol}//${host}${request.path}`);
		requests.set(request, made);
		return made;
	};
	for (const name of ['write', 'end'] as const)
		replaceMethod(ClientRequest.prototype, name, function (this: ClientRequest, original, args) {
			addChunk(recordOf(this).sent, args[0]);
			return Reflect.apply(original, this, args);
		});
	replaceMethod(ClientRequest.prototype, 'emit', function (this: ClientRequest, original, args) {
		const [event, response] = args;
		if (event === 'response' && response instanceof IncomingMessage) tapResponse(response, finish(this, response));
		if (event === 'error') recorder.add(withHeaders(recordOf(this), this));
		return Reflect.apply(original, this, args);
	});

	function finish(request: ClientRequest, response: IncomingMessage): Recorded {
		const recorded = withHeaders(recordOf(request), request);
		recorded.status = response.statusCode ?? 0;
		recorded.responseHeaders = headerPairs(response.rawHeaders);
		return recorded;
	}

	function tapResponse(response: IncomingMessage, recorded: Recorded): void {
		replaceMethod(response, 'push', function (this: IncomingMessage, original, args) {
			if (args[0] === null) recorder.add(recorded);
			else addChunk(recorded.received, args[0]);
			return Reflect.apply(original, this, args);
		});
		response.once('close', () => recorder.add(recorded));
	}
}

function withHeaders(recorded: Recorded, request: ClientRequest): Recorded {
	recorded.requestHeaders = Object.entries(request.getHeaders()).map(([name, value]) => [
		name,
		[value ?? ''].flat().join(', ')
	]);
	return recorded;
}

/** Replaces a method of an object by one that gets the original. */
function replaceMethod<T extends object>(
	owner: T,
	name: string,
	value: (this: T, original: Method, args: unknown[]) => unknown
): void {
	const original: unknown = Reflect.get(owner, name);
	if (!isMethod(original)) return;
	Object.defineProperty(owner, name, {
		configurable: true,
		writable: true,
		value(this: T, ...args: unknown[]): unknown {
			return Reflect.apply(value, this, [original, args]);
		}
	});
}

const isMethod = (value: unknown): value is Method => typeof value === 'function';
