// The browser host in a service worker, with what browsers hide from scripts in a separate header. It can run the cases itself.
import { BrowserHost } from '#hosts/browser/browser-host.ts';
import type { WorkerScope } from '#hosts/browser/worker-scope.ts';
import { isServicePath } from '#api/service-path.ts';
import type { WireResult } from '#api/message.ts';
import { carrier, pack, unpack } from './carrier.ts';
import { offerCases } from './chromium-cases.ts';
import { fastScrypt } from './fast-scrypt.ts';

declare const self: WorkerScope & { readonly clients: { claim(): Promise<void> } };

const added = /^(origin|sec-fetch-.*|x-conformance)$/i;

const host = new BrowserHost(self.location.origin, '', {
	scrypt: fastScrypt,
	wrap: (handle) => async (request, source) => {
		const headers = request.headers.filter((_, at, all) => !added.test(all[at - (at % 2)] ?? ''));
		const hidden = unpack(source.headers.get(carrier));
		return visible(await handle({ ...request, headers: [...headers, ...hidden] }, source));
	}
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
	if (isServicePath(new URL(event.request.url).pathname)) event.respondWith(host.respond(event.request));
});

offerCases((request) => host.respond(request), false);

/** Redirects and cookies stay in the browser. Here their status and headers are sent in the carrier. */
function visible(result: WireResult): WireResult {
	if (result.kind === 'no_response') return result;
	const all = pack([String(result.status), ...result.headers]);
	const contentType = result.headers.findIndex((name) => name.toLowerCase() === 'content-type');
	const type = contentType < 0 ? [] : result.headers.slice(contentType, contentType + 2);
	return { ...result, status: 200, headers: [...type, carrier, all] };
}
