import { vi } from 'vitest';
import { ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import type { EnteredValue, Evidence } from '#course/lessons/evaluation/condition.ts';
import type { Lesson } from '#course/lessons/lesson.ts';
import { ScriptedClient, type Send } from '#course/lessons/scripted-client.ts';
import type { Transport } from '../../conformance/transport.ts';
import { createTestService } from '../../service/test-service.ts';

/**
 * A sandbox in the start state of a lesson, and a client for it. The browser's `fetch` reaches the service.
 * @param transport to the service. Default: in this process
 * @param sendOf gives the function that sends the client's requests. Default: the browser's `fetch`
 */
export async function openLesson(
	{ start = {} }: Pick<Lesson, 'start'>,
	transport: Pick<Transport, 'origin' | 'send'> = createTestService().transport,
	sendOf: (fetch: Send) => Send = (fetch) => fetch
): Promise<{
	client: ScriptedClient;
	evidence: () => Promise<Evidence>;
}> {
	const send = fetchOver(transport);
	vi.stubGlobal('fetch', send);
	const { base_url } = await new ControlApi(transport.origin).request('POST /control/sandboxes', {
		body: {
			preset: { format: 'tollgate-preset', version: 1, ...start }
		}
	});
	const entered: EnteredValue[] = [];
	const control = new ControlApi(base_url);
	const entries = async () => (await control.request('GET /control/traffic', trafficAfter())).entries;
	let last = 0;
	const sendAsClient = sendOf(send);
	const client = new ScriptedClient(
		control,
		(field, value) => entered.push({ field, value, after: last }),
		async (...request) => {
			const response = await sendAsClient(...request);
			last = (await control.request('GET /control/traffic', trafficAfter(last))).entries.at(-1)?.seq ?? last;
			return response;
		}
	);
	return {
		client,
		evidence: async () => ({
			entries: await entries(),
			entered
		})
	};
}

/** `fetch` with cookies. */
function fetchOver(transport: Pick<Transport, 'origin' | 'send'>): Send {
	const cookies = new Map<string, string>();
	return async (url, init) => {
		const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
		const { method, headers, body } = { method: 'GET', ...init };
		const sent = new Request(url, { method, headers: new Headers(headers), body: body ?? null });
		const received = await transport.send({
			method,
			target: url.slice(transport.origin.length),
			body: await sent.text(),
			headers: [...[...sent.headers].flat(), 'Cookie', cookie]
		});
		if (received === undefined) throw new TypeError('fetch failed');
		const lines: [string, string][] = [];
		for (let at = 0; at + 1 < received.headers.length; at += 2)
			lines.push([received.headers[at] ?? '', received.headers[at + 1] ?? '']);
		for (const [name, value] of lines) {
			const [, key, content] = (name.toLowerCase() === 'set-cookie' && /^([^=]+)=([^;]*)/.exec(value)) || [];
			if (key !== undefined && content !== undefined) cookies.set(key, content);
		}
		return new Response(received.body, { status: received.status, headers: lines });
	};
}
