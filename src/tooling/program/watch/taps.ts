import { ClientRequest, IncomingMessage } from 'node:http';
import { addChunk, begun, headerPairs, type Recorded, type Recorder } from './recorder.ts';
import { subscribe } from 'node:diagnostics_channel';
import { fieldOf, numberOf, textOf } from '#evidence/har/json-fields.ts';

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

/**
 * Records what `fetch` and undici send, of any version and with any dispatcher. Their diagnostics channels name each request; the
 * methods of a request that get the parts of its bodies are called with the same arguments, and only looked at.
 */
export function tapUndici(recorder: Recorder): void {
	const requests = new WeakMap<object, Recorded>();
	subscribe('undici:request:create', (message) => {
		const request = fieldOf(message, 'request');
		if (typeof request !== 'object' || request === null) return;
		const recorded = begun(read(request, 'method'), read(request, 'origin') + read(request, 'path'));
		requests.set(request, recorded);
		const body: unknown = Reflect.get(request, 'body');
		addChunk(recorded.sent, body);
		const isWhole = recorded.sent.length > 0;
		look(request, 'onBodySent', ([chunk]) => {
			if (!isWhole) addChunk(recorded.sent, chunk);
		});
		// undici 5 to 7, and 8.
		for (const name of ['onData', 'onResponseData'])
			look(request, name, (args) => addChunk(recorded.received, chunkOf(args)));
	});
	subscribe('undici:client:sendHeaders', (message) => {
		const recorded = find(requests, message);
		if (recorded !== undefined) recorded.requestHeaders = linesOf(textOf(message, 'headers'));
	});
	subscribe('undici:request:headers', (message) => {
		const recorded = find(requests, message);
		if (recorded === undefined) return;
		recorded.status = numberOf(message, 'response', 'statusCode') ?? 0;
		recorded.responseHeaders = headerPairs(fieldOf(message, 'response', 'headers'));
	});
	for (const name of ['undici:request:trailers', 'undici:request:error'])
		subscribe(name, (message) => {
			const recorded = find(requests, message);
			if (recorded !== undefined) recorder.add(recorded);
		});
}

const read = (request: object, name: string): string => {
	const value: unknown = Reflect.get(request, name);
	return typeof value === 'string' || value instanceof URL ? String(value) : '';
};

const chunkOf = (args: readonly unknown[]) => args.find((one) => one instanceof Uint8Array);

function find(requests: WeakMap<object, Recorded>, message: unknown): Recorded | undefined {
	const request = fieldOf(message, 'request');
	return typeof request === 'object' && request !== null ? requests.get(request) : undefined;
}

/** Looks at the arguments of a method before it runs. */
function look(owner: object, name: string, see: (args: readonly unknown[]) => void): void {
	const original: unknown = Reflect.get(owner, name);
	if (typeof original !== 'function') return;
	Object.defineProperty(owner, name, {
		configurable: true,
		writable: true,
		value(this: object, ...args: unknown[]): unknown {
			see(args);
			return Reflect.apply(original, this, args);
		}
	});
}

/** The headers of a request, by the text that is sent. */
function linesOf(text: string): [string, string][] {
	return text.split('\r\n').flatMap((line): [string, string][] => {
		const colon = line.indexOf(':');
		return colon <= 0 || /^[A-Z]+ \S+ HTTP\//.test(line) ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
	});
}
