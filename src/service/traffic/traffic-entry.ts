import { headerValue } from '#api/headers.ts';
import type { TraceLine, TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import type { WireResult } from '#api/message.ts';
import type { Context } from '../core/context.ts';
import { copyString } from '#store/copy-strings.ts';
import {
	isOpenText,
	plainName,
	redactHeaders,
	type Redaction,
	redactPairs,
	redactSecrets,
	redactTarget,
	redactText,
	reserved,
	withoutReserved
} from '#api/redact.ts';
import type { LazyTrafficEntry } from './logged-exchange.ts';
import { decodePercent } from '#lib/percent.ts';
import { describeState } from '#api/state-form.ts';
import { addReferences, type UnreferencedEntry, type ValueKind } from '#api/value-references.ts';
import { isHardCode, isLiteralNothing } from '../core/hard-code.ts';
import { decodeBase64 } from '../core/encoding.ts';

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

/** What the values of these parameters are called. Passwords and keys have no label, because it would show which ones are equal. */
const kinds: Readonly<Record<string, ValueKind>> = {
	code: 'code',
	state: 'state',
	codeverifier: 'code verifier',
	accesstoken: 'access token',
	refreshtoken: 'refresh token',
	token: 'token',
	clientsecret: 'client secret',
	interaction: 'interaction',
	csrftoken: 'CSRF token',
	devicecode: 'device code',
	usercode: 'user code',
	requesturi: 'request URI'
};

/** How many values of one request are labeled. An ordinary one has five. */
const maxValues = 40;
/** The first of the reserved characters, which is in place of the first value until the entry is read. */
const firstMark = 0xf8d0;

/** How the messages of one request are redacted, and what the redaction finds. */
type LabeledValues = {
	readonly redaction: Redaction;
	/** In the order of their first occurrence. */
	readonly values: TrafficValue[];
	/** The flow of the request: a token that has expired tells it too. */
	flow: string | undefined;
};

/** Redacts the messages of one request: a reserved character is in place of each value that has a label. */
function labelValues(context: Context): LabeledValues {
	const values: TrafficValue[] = [];
	const marks = new Map<string, string>();
	const show: Redaction['show'] = (sent, name, preview) => {
		const value = decodePercent(sent, true) ?? sent;
		const known = marks.get(value);
		if (known !== undefined) return known;
		// Decoded text is redacted again.
		if (value === '' || isMark(sent) || context.open.has(sent)) return sent;
		const kind = kinds[plainName(context.secrets.get(value) || name)];
		// It is no secret, and no value that several requests share.
		if (kind !== undefined && kind !== 'client secret' && isLiteralNothing(value)) return sent;
		if (kind === undefined || values.length === maxValues) return preview;
		const represented = context.credentialOverrides.get(value);
		// The store has no digest of a secret without its salt.
		if (represented !== undefined && kind === 'client secret') return preview;
		const id = represented ?? valueId(context, value);
		const { label, flow } = context.sandbox.traffic.labels.find(id, kind, context.flow);
		found.flow ??= flow;
		const shownPreview = represented === undefined && /^[\w~.+/=-]{6}…$/.test(preview) ? preview : '';
		const mark = String.fromCharCode(firstMark + values.length);
		const facts = kind === 'state' ? stateFacts(context, value) : undefined;
		values.push(withLabel({ label, preview: shownPreview, id, ...facts }, label));
		marks.set(value, mark);
		return mark;
	};
	const found: LabeledValues = {
		redaction: { secrets: context.shortSecrets, show },
		values,
		flow: context.flow
	};
	return found;
}

/** Completes an entry whose texts contain reserved characters in place of values. */
function resolveMarks(entry: UnreferencedEntry): TrafficEntry {
	return addReferences(entry, reserved, ([mark]) => mark.charCodeAt(0) - firstMark);
}

/** How the state of an authorization request looks. */
function stateFacts({ route, request }: Context, state: string): Pick<TrafficValue, 'form' | 'bits'> | undefined {
	const isRequest = request.method === (route.name === 'par' ? 'POST' : 'GET') && /^(?:auth|par)$/.test(route.name);
	return isRequest ? describeState(state, decodeBase64) : undefined;
}

/** A value with its label. A state with the label of another kind was something else before. */
export function withLabel(value: TrafficValue, label: string): TrafficValue {
	const isOther = value.form !== undefined && !/^state(?: |$)/.test(label);
	return isOther ? { ...value, label, form: 'credential' } : { ...value, label };
}

function isMark(text: string): boolean {
	return text.length === 1 && text.search(reserved) === 0;
}

/** A digest. Short values have a key in it, so that they cannot be found by trial. */
function valueId(context: Context, value: string): string {
	if (/^[\w-]{43,}$/.test(value) || isHardCode(value)) return context.digestOf(value);
	return context.options.digest(`${context.sandbox.valueKey}\n${value}`);
}
