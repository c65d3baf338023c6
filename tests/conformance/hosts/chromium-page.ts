// Runs the cases in a page of Chromium, so that a case costs one call from outside and not one for each request.
import { runCase } from '../run-case.ts';
import { cases } from '../cases.ts';
import type { TestRequest } from '../transport.ts';
import { carrier, pack, unpack } from './carrier.ts';
import { fetchTransport } from './fetching.ts';

const forbidden =
	/^(cookie|origin|host|referer|user-agent|date|te|trailer|connection|content-length|accept-|sec-|proxy-)/i;

const { serviceWorker } = navigator;
await serviceWorker.register('/chromium-worker.js', { type: 'module' });
if (serviceWorker.controller === null) {
	await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}
const transport = {
	...fetchTransport(location.origin, '', send, () => Promise.resolve()),
	isExhaustive: location.search === '?exhaustive'
};

/** Runs a case by its name. */
async function runNamed(name: string): Promise<void> {
	const one = cases.find((known) => known.name === name);
	if (one !== undefined) await runCase(one, transport);
}
Reflect.set(window, 'runNamed', runNamed);

async function send(request: Request, { headers = [] }: TestRequest): Promise<Response> {
	const hidden: string[] = [];
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const [name = '', value = ''] = headers.slice(at, at + 2);
		if (forbidden.test(name)) hidden.push(name, value);
	}
	request.headers.set(carrier, pack(hidden));
	const response = await fetch(request, { credentials: 'omit' });
	const [status, ...all] = unpack(response.headers.get(carrier));
	const shown = new Response(status === '204' ? null : response.body, { status: Number(status) });
	Reflect.defineProperty(shown, 'headers', { value: { [Symbol.iterator]: () => pairs(all) } });
	return shown;
}

function* pairs(flat: readonly string[]): Generator<[string, string]> {
	for (let at = 0; at + 1 < flat.length; at += 2) yield [(flat[at] ?? '').toLowerCase(), flat[at + 1] ?? ''];
}
