import { expect, test, vi } from 'vitest';
import type { DocOperation } from '#features/docs/doc-page.ts';
import { TryRequest } from '#features/docs/try-request.svelte.ts';

const parameter = { type: 'string', required: false, description: '', example: '', options: [] };
const operation: DocOperation = {
	id: 'x',
	method: 'GET',
	path: '/ws/character/{name}',
	summary: '',
	description: '',
	access: ['none'],
	destroys: false,
	parameters: [
		{ ...parameter, name: 'name', in: 'path', example: 'Mara Vell' },
		{ ...parameter, name: 'after', in: 'query' },
		{ ...parameter, name: 'limit', in: 'query', example: '5' }
	],
	responses: []
};
const open = (part: Partial<DocOperation> = {}, scheme = 'OAuth') =>
	new TryRequest(
		{ ...operation, ...part },
		() => 'https://a.test/~x',
		() => scheme
	);

/** Responds to the next request. Returns the requests. */
function serve(respond: (signal: AbortSignal | null | undefined) => Response | Promise<Response>): Request[] {
	const requests: Request[] = [];
	vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
		requests.push(new Request(url, init));
		return respond(init.signal);
	});
	return requests;
}

test('the URL has the parameters of the path, and those of the query that are not empty', () => {
	const request = open();
	expect(request.url).toBe('https://a.test/~x/ws/character/Mara%20Vell?limit=5');
	Object.assign(request.parameters, { name: 'Half/Life', after: '7', limit: '' });
	expect(request.url).toBe('https://a.test/~x/ws/character/Half%2FLife?after=7');
});

test('sends key and access token, and no body where the operation has none', async () => {
	const requests = serve(() => new Response());
	const request = open();
	await request.send();
	Object.assign(request, { key: 'k', accessToken: 't' });
	await request.send();
	const headers = requests.map(({ headers }) => [headers.get('x-tollgate-key'), headers.get('authorization')]);
	expect(headers).toEqual([
		[null, null],
		['k', 'OAuth t']
	]);
	expect(requests.map(({ body }) => body)).toEqual([null, null]);
});

test('sends the access token with the scheme of the dialect', async () => {
	const requests = serve(() => new Response());
	const request = open({}, 'Bearer');
	request.accessToken = 't';
	await request.send();
	expect(requests[0]?.headers.get('authorization')).toBe('Bearer t');
});

test('sends the fields of a form that are not empty', async () => {
	const requests = serve(() => new Response());
	const type = 'application/x-www-form-urlencoded';
	const values = { grant_type: 'refresh_token', scope: '' };
	await open({ method: 'POST', body: { type, fields: [], example: '{}', values } }).send();
	expect(await requests[0]?.text()).toBe('grant_type=refresh_token');
	expect(requests[0]?.headers.get('content-type')).toBe(type);
});

test('formats a JSON body, and shows any other as it is', async () => {
	const request = open();
	serve(() => Response.json({ a: 1 }, { status: 400 }));
	await request.send();
	expect(request.response).toMatchObject({ status: 400, isJson: true, body: '{\n  "a": 1\n}' });
	serve(() => new Response('{', { headers: { 'content-type': 'application/json' } }));
	await request.send();
	expect(request.response?.body).toBe('{');
	serve(() => new Response('<x/>', { headers: { 'content-type': 'text/xml' } }));
	await request.send();
	expect(request.response).toMatchObject({
		status: 200,
		isJson: false,
		body: '<x/>',
		headers: 'content-type: text/xml'
	});
});

test('shows why there is no response', async () => {
	const request = open();
	serve(() => Promise.reject(new TypeError('fetch failed')));
	await request.send();
	expect([request.problem, request.busy]).toEqual([expect.stringContaining('The connection was closed.'), false]);
	serve(() => Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' }));
	await request.send();
	expect([request.problem, request.response]).toEqual([expect.stringContaining('is a redirect'), undefined]);
});

test('a stopped request is no problem, and a new one ends the one before', async () => {
	const request = open();
	const signals: AbortSignal[] = [];
	serve((signal) => {
		if (signal) signals.push(signal);
		return new Promise((_, reject) =>
			signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
		);
	});
	const [first, second] = [request.send(), request.send()];
	await first;
	expect([signals.map(({ aborted }) => aborted), request.busy]).toEqual([[true, false], true]);
	request.stop();
	await second;
	expect([request.busy, request.problem, request.response]).toEqual([false, '', undefined]);
});

test('shows a stream as it arrives, until it is stopped', async () => {
	let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
	serve((signal) => {
		const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
		signal?.addEventListener('abort', () => stream?.error(new DOMException('', 'AbortError')));
		return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
	});
	const request = open();
	const sending = request.send();
	await vi.waitFor(() => expect(request.response).toBeDefined());
	stream?.enqueue(new TextEncoder().encode('data: 1\n'));
	await vi.waitFor(() => expect(request.response?.body).toBe('data: 1\n'));
	expect(request.busy).toBe(true);
	request.stop();
	await sending;
	expect([request.busy, request.problem, request.response?.body]).toEqual([false, '', 'data: 1\n']);
});
