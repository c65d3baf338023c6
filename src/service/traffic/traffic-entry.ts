import { headerValue } from '#api/headers.ts';
import type { TraceLine } from '#api/control/traffic.ts';
import type { WireResult } from '#api/message.ts';
import type { Context } from '../core/context.ts';
import { copyString } from '#store/copy-strings.ts';
import {
	isOpenText,
	redactHeaders,
	redactPairs,
	redactSecrets,
	redactTarget,
	redactText,
	reserved,
	withoutReserved,
	type Redaction
} from '#api/redact.ts';
import { labelValues, resolveMarks } from './label-values.ts';
import type { LazyTrafficEntry } from './logged-exchange.ts';

/** How much of a body is kept, in characters. */
const longestBody = 4096;
/** How much is kept of a value that a check compared, in characters. */
const longestCompared = 1000;
const decoder = new TextDecoder();

/**
 * One exchange for the traffic log. Secrets are masked here, before anything is kept.
 * @param duration milliseconds
 */
export function toTrafficEntry(context: Context, result: WireResult, duration: number): LazyTrafficEntry {
	const { received: request, id, route, clientAddress: address, trace } = context;
	const { client_id, username, grantId: grant, family, credentialEvents: credentials } = context;
	const labeled = labelValues(context);
	const { redaction, values } = labeled;
	const method = redactSecrets(withoutReserved(request.method), redaction);
	const at = context.now();
	const target = cut(redactTarget(withoutReserved(request.target), redaction));
	const sent = redactHeaders(cleanHeaders(request.headers), redaction);
	const body = request.body.length === 0 ? '' : requestBody(context, redaction);
	const compared = redactTrace(trace, redaction);
	const response =
		result.kind === 'no_response'
			? null
			: {
					status: result.status,
					flat: redactHeaders(cleanHeaders(result.headers), redaction),
					body: result.kind === 'stream' ? '' : cut(redactSecrets(withoutReserved(result.body), redaction))
				};
	const { flow } = labeled;
	return {
		id,
		size:
			400 +
			200 * values.length +
			120 * credentials.length +
			target.length +
			body.length +
			sumOf(sent) +
			compared +
			// Entries share the usual header fields. The API of a world can have many more.
			(response === null ? 0 : response.body.length + 300 + Math.max(0, sumOf(response.flat) - 1000)),
		entry: (seq) =>
			resolveMarks({
				seq,
				id,
				at,
				duration: rounded(duration),
				endpoint: route.name,
				address,
				client_id,
				username,
				flow,
				grant,
				family,
				request: { method, target, headers: pairsOf(sent), body },
				response:
					response === null ? null : { status: response.status, headers: pairsOf(response.flat), body: response.body },
				trace,
				values,
				credentials
			})
	};
}

/** Returns the size of the values that the checks compared. */
function redactTrace(trace: readonly TraceLine[], redaction: Redaction): number {
	let size = 0;
	for (const line of trace) {
		if (!isOpenText(line.detail, redaction)) line.detail = redactText(withoutReserved(line.detail), redaction);
		if (line.found === undefined && line.expected === undefined) continue;
		line.found &&= redactCompared(line.found, redaction);
		line.expected &&= redactCompared(line.expected, redaction);
		size += (line.found?.length ?? 0) + (line.expected?.length ?? 0);
	}
	return size;
}

/** The query of a redirect URI may contain secrets. */
function redactCompared(text: string, redaction: Redaction): string {
	if (isOpenText(text.replaceAll('\n', ' '), redaction)) return copyString(text.slice(0, longestCompared));
	const lines = withoutReserved(text)
		.split('\n')
		.map((line) => redactText(redactTarget(line, redaction), redaction));
	return copyString(lines.join('\n').slice(0, longestCompared));
}

function requestBody(context: Context, redaction: Redaction): string {
	const { received: request } = context;
	const { body } = request;
	const isLong = body.length > longestBody;
	const text =
		(isLong || request !== context.request ? undefined : context.bodyText) ??
		decoder.decode(body.subarray(0, longestBody));
	// A token that is cut off is too short to be recognized.
	const whole = withoutReserved(isLong ? text.slice(0, text.search(/[^\w%-][\w%-]*$/) + 1) : text);
	// `curl -d` sends JSON as a form. A real form has encoded quotes.
	const isForm =
		/x-www-form-urlencoded/i.test(headerValue(request.headers, 'content-type') ?? '') && !/["'<]/.test(whole);
	return redactPairs(isForm ? whole : redactText(whole, redaction), redaction);
}

/** Cuts a text to the stored length, without keeping the rest in memory. */
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

/** Most headers are plain, so the list is seldom copied. */
function cleanHeaders(flat: readonly string[]): readonly string[] {
	return flat.some((text) => text.search(reserved) >= 0) ? flat.map(withoutReserved) : flat;
}

function sumOf(flat: readonly string[]): number {
	let sum = 0;
	for (const text of flat) sum += text.length;
	return sum;
}
