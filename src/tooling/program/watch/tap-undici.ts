import { subscribe } from 'node:diagnostics_channel';
import { fieldOf, numberOf, textOf } from '#evidence/har/json-fields.ts';
import { addChunk, begun, headerPairs, type Recorded, type Recorder } from './recorder.ts';

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
