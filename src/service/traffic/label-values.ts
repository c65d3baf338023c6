import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { decodePercent } from '#lib/percent.ts';
import { describeState } from '#api/state-form.ts';
import { plainName, reserved, type Redaction } from '#api/redact.ts';
import { addReferences, type UnreferencedEntry, type ValueKind } from '#api/value-references.ts';
import type { Context } from '../core/context.ts';
import { isLiteralNothing } from '../core/damaged-value.ts';
import { decodeBase64 } from '../core/encoding.ts';
import { isHardCode } from '../core/hard-code.ts';

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
export type LabeledValues = {
	readonly redaction: Redaction;
	/** In the order of their first occurrence. */
	readonly values: TrafficValue[];
	/** The flow of the request: a token that has expired tells it too. */
	flow: string | undefined;
};

/** Redacts the messages of one request: a reserved character is in place of each value that has a label. */
export function labelValues(context: Context): LabeledValues {
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
export function resolveMarks(entry: UnreferencedEntry): TrafficEntry {
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
