import type { WireResult } from '#wire/message.ts';
import type { Context } from '../context.ts';
import { copyString } from '#store/copy-strings.ts';
import { redactHeaders, redactPairs, redactSecrets, redactTarget, redactText } from '#wire/redact.ts';
import type { LazyTrafficEntry } from './traffic-log.ts';

/** How much of a body is kept, in characters. */
const longestBody = 4096;
const decoder = new TextDecoder();

/**
 * One exchange for the traffic log. Secrets are masked here, before anything is kept.
 * @param duration milliseconds
 */
export function toTrafficEntry(context: Context, result: WireResult, duration: number): LazyTrafficEntry {
	const { request, id, route, countedAddress: address, client_id, username, trace } = context;
	const secrets = context.shortSecrets;
	const method = redactSecrets(request.method, secrets);
	const at = context.now();
	const target = cut(redactTarget(request.target, secrets));
	const sent = redactHeaders(request.headers, secrets);
	const body = request.body.length === 0 ? '' : requestBody(context, secrets);
	for (const line of trace) line.detail = redactText(line.detail, secrets);
	const response =
		result.kind === 'no_response'
			? null
			: {
					status: result.status,
					flat: redactHeaders(result.headers, secrets),
					body: result.kind === 'stream' ? '' : cut(redactSecrets(result.body, secrets))
				};
	return {
		size: 400 + target.length + body.length + sumOf(sent) + (response === null ? 0 : response.body.length + 300),
		entry: (seq) => ({
			seq,
			id,
			at,
			duration: rounded(duration),
			endpoint: route.name,
			address,
			...(client_id === undefined ? {} : { client_id }),
			...(username === undefined ? {} : { username }),
			request: { method, target, headers: pairsOf(sent), body },
			response:
				response === null ? null : { status: response.status, headers: pairsOf(response.flat), body: response.body },
			trace
		})
	};
}

function requestBody(context: Context, secrets: readonly string[]): string {
	const { body } = context.request;
	const text = decoder.decode(body.subarray(0, longestBody));
	// A token that is cut off is too short to be recognized.
	const whole = body.length > longestBody ? text.slice(0, text.search(/[^\w%-][\w%-]*$/) + 1) : text;
	const isForm = /x-www-form-urlencoded/i.test(context.header('content-type') ?? '');
	const pairs = redactPairs(whole, secrets);
	return isForm ? pairs : redactText(pairs, secrets);
}

/** As much of a text as is kept, and nothing of it beyond. */
function cut(text: string): string {
	return text.length > longestBody ? copyString(text.slice(0, longestBody)) : text;
}

/** Milliseconds to the microsecond. */
function rounded(milliseconds: number): number {
	return Math.round(milliseconds * 1000) / 1000;
}

function pairsOf(flat: readonly string[]): [string, string][] {
	const pairs: [string, string][] = [];
	for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? '']);
	return pairs;
}

function sumOf(flat: readonly string[]): number {
	let sum = 0;
	for (const text of flat) sum += text.length;
	return sum;
}
