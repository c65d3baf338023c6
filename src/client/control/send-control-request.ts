import { addressHeaders, storedAddress } from '../virtual-address.svelte.ts';
import { ControlError } from './control-error.ts';

/** What a control request carries. */
export type ControlRequest = {
	/** Sent as JSON. */
	readonly body?: unknown;
	/** The key of the sandbox, in place of the owner's cookie. */
	readonly key?: string;
	/** Ends the request. */
	readonly signal?: AbortSignal | undefined;
};

/**
 * Sends a request to the control API. The browser's owner cookie goes with it.
 * @param url absolute
 * @returns the JSON body, in the form that the API documents
 * @throws ControlError if the service rejects the request or does not respond
 */
export async function sendControlRequest<T>(url: string, method: string, request: ControlRequest): Promise<T> {
	const headers = new Headers({ accept: 'application/json', ...addressHeaders(storedAddress()) });
	if (request.key !== undefined) headers.set('x-tollgate-key', request.key);
	if (request.body !== undefined) headers.set('content-type', 'application/json');
	const body = request.body === undefined ? null : JSON.stringify(request.body);
	let response: Response;
	let data: unknown;
	try {
		const signal = request.signal ?? null;
		response = await fetch(url, { method, headers, body, signal, credentials: 'same-origin', cache: 'no-store' });
		data = await response.json();
	} catch {
		throw new ControlError('no_response', 'The service did not respond. Check that it is running, then try again.', 0);
	}
	if (response.ok) return trusted(data);
	throw toControlError(response.status, data);
}

function toControlError(status: number, data: unknown): ControlError {
	const field = (name: string) => {
		const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
		return typeof value === 'string' ? value : undefined;
	};
	const description = field('error_description') ?? `The service responded with status ${status}.`;
	const path = field('field');
	// At its field on a page, the name of the field is said already.
	const message =
		path !== undefined && description.startsWith(`${path}: `) ? description.slice(path.length + 2) : description;
	return new ControlError(field('error') ?? 'unexpected_response', message, status, path);
}

/** The service of this origin is our own, and its conformance tests check every body against these types. */
function trusted<T>(data: unknown): T;
function trusted(data: unknown): unknown {
	return data;
}
