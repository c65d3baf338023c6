import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Send } from '#course/lessons/scripted-client.ts';

const run = promisify(execFile);

/**
 * Sends requests with curl, which keeps the cookies.
 * @param cookies file for the cookies
 * @param authority file of the certificate authority
 */
export function sendByCurl(cookies: string, authority: string): Send {
	return async (url, { method = 'GET', headers, body }) => {
		const request = new Request(url, { method, headers: new Headers(headers), body: body ?? null });
		const text = await request.text();
		const lines = [...request.headers].flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
		const data = text === '' ? [] : ['--data-raw', text];
		const options = ['--silent', '--show-error', '--include', '--globoff', '--path-as-is', '--cacert', authority];
		const words = [...options, '-c', cookies, '-b', cookies, '-X', method, ...lines, ...data, url];
		const { stdout } = await run('curl', words).catch((error: unknown) => {
			throw new TypeError('fetch failed', { cause: error });
		});
		return parse(stdout);
	};
}

function parse(text: string): Response {
	const end = text.indexOf('\r\n\r\n');
	const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
	const headers = lines.map((line): [string, string] => {
		const [name = '', ...value] = line.split(':');
		return [name, value.join(':').trim()];
	});
	return new Response(text.slice(end + 4), { status: Number(statusLine.split(' ')[1]), headers });
}
