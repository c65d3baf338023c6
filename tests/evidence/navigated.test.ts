import type { Case, Log } from './log.ts';
import { testCases } from './test-cases.ts';

/** A pushed request with these headers. @param destination of the browser that opens it. Absent: none does */
function pushes(log: Log, requestHeaders: Record<string, string>, destination?: string): void {
	log.add({ endpoint: 'par', method: 'POST', form: { client_id: 'client', state: 'a' }, requestHeaders, status: 201 });
	if (destination === undefined) return;
	log.add({
		endpoint: 'auth',
		query: { client_id: 'client', request_uri: 'urn:ietf:params:oauth:request_uri:a' },
		requestHeaders: { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': destination },
		status: 303
	});
}

/** A sign-in whose request has the headers of a browser. */
function sentBy(log: Log, mode: string, destination: string, purpose?: string): void {
	const requestHeaders = { 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Dest': destination };
	log.signIn({
		requestHeaders: purpose === undefined ? requestHeaders : { ...requestHeaders, 'Sec-Purpose': purpose }
	});
}

const cases: readonly Case[] = [
	['request.navigated', 'failed', 'a script sends the request', (log) => sentBy(log, 'cors', 'empty')],
	['request.navigated', 'failed', 'a frame opens the page', (log) => sentBy(log, 'navigate', 'iframe')],
	['request.navigated', 'passed', 'the window navigates', (log) => sentBy(log, 'navigate', 'document')],
	['request.navigated', 'not_shown', 'a browser prefetches', (log) => sentBy(log, 'cors', 'empty', 'prefetch')],
	['request.navigated', 'not_shown', 'a program acts as a browser', (log) => sentBy(log, 'cors', 'document')],
	['request.navigated', 'not_shown', 'the browser does not tell', (log) => log.signIn()],
	// Node's `fetch` sends the mode, and nothing else that a browser sends.
	[
		'request.navigated',
		'not_shown',
		'a server requests the page',
		(log) => log.signIn({ requestHeaders: { 'Sec-Fetch-Mode': 'cors' } })
	],
	['request.navigated', 'not_shown', 'a server pushes the request', (log) => pushes(log, { 'Sec-Fetch-Mode': 'cors' })],
	[
		'request.navigated',
		'not_shown',
		'a page pushes the request',
		(log) => pushes(log, { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Site': 'cross-site' })
	],
	[
		'request.navigated',
		'passed',
		'the window opens a pushed request',
		(log) => pushes(log, { 'Sec-Fetch-Mode': 'cors' }, 'document')
	],
	[
		'request.navigated',
		'failed',
		'a frame opens a pushed request',
		(log) => pushes(log, { 'Sec-Fetch-Mode': 'cors' }, 'iframe')
	]
];

testCases(cases);
