import type { TrafficValue } from '#api/control/traffic.ts';
import { decodePercent } from '#api/percent.ts';
import { plainName, type Redaction } from '#api/redact.ts';
import { writeValueMarker, type ValueKind } from '#api/value-marker.ts';
import type { Context } from '../core/context.ts';

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
	csrftoken: 'CSRF token'
};

/** How many values of one request are labelled. An ordinary one has five. */
const maxValues = 40;

/** How the messages of one request are redacted, and what the redaction finds. */
export type LabelledValues = {
	readonly redaction: Redaction;
	/** In the order of their first occurrence. */
	readonly values: TrafficValue[];
	/** The flow of the request: a token that has expired tells it too. */
	flow: string | undefined;
};

/** Redacts the messages of one request: each value that has a label is replaced by its marker. */
export function labelValues(context: Context): LabelledValues {
	const values: TrafficValue[] = [];
	const markers = new Map<string, string>();
	const show: Redaction['show'] = (sent, name, preview) => {
		const value = decodePercent(sent, true) ?? sent;
		const known = markers.get(value);
		if (known !== undefined) return known;
		// Decoded text is redacted again.
		if (value === '' || (sent.startsWith('‹') && [...markers.values()].includes(sent))) return sent;
		const kind = kinds[plainName(context.secrets.get(value) || name)];
		if (kind === undefined || values.length === maxValues) return preview;
		const represented = context.credentialOverrides.get(value);
		// The store has no digest of a secret without its salt.
		if (represented !== undefined && kind === 'client secret') return preview;
		const id = represented ?? valueId(context, value);
		const { label, flow } = context.sandbox.traffic.labels.find(id, kind, context.flow);
		found.flow ??= flow;
		const shownPreview = represented === undefined && /^[\w~.+/=-]{6}…$/.test(preview) ? preview : '';
		values.push({ label, preview: shownPreview, id });
		const marker = writeValueMarker(label, shownPreview);
		markers.set(value, marker);
		return marker;
	};
	const found: LabelledValues = {
		redaction: { secrets: context.shortSecrets, show },
		values,
		flow: context.flow
	};
	return found;
}

/** A digest. Short values have a key in it, so that they cannot be found by trial. */
function valueId(context: Context, value: string): string {
	if (/^[\w-]{43,}$/.test(value)) return context.digestOf(value);
	return context.options.digest(`${context.sandbox.valueKey}\n${value}`);
}
