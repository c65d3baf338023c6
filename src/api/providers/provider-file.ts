import * as v from 'valibot';
import { dialectPart, text } from './dialect-schema.ts';

const texts = v.array(text);
const fields = v.record(v.string(), v.string());

/** The situations that a request of a surprise needs, and the request itself. */
export const situations = [
	'sign_in',
	'second_sign_in',
	'refresh',
	'old_refresh_token',
	'used_code',
	'wrong_secret',
	'api',
	'no_token',
	'dead_token',
	'over_limit',
	'revoke',
	'refresh_after_revocation',
	'authorize',
	'request'
] as const;

/** A public page or repository, and which facts of the dialect it shows. */
export const source = v.strictObject({
	title: text,
	url: v.pipe(v.string(), v.regex(/^(?:https:\/\/\S+|\/docs\/[a-z-]+)$/, 'Write an https URL.')),
	/** When it was read. */
	read: v.pipe(v.string(), v.regex(/^\d{4}-(?:0\d|1[0-2])-[0-3]\d$/, 'Write a date.')),
	/** `observed`: seen in real traffic or in the code of clients, and not in the documentation of the provider. */
	kind: v.picklist(['documented', 'observed']),
	/** Places in `dialect`: `errors.token.status`. Each covers what is below it. */
	facts: v.pipe(texts, v.minLength(1))
});

/** One request. Names in braces are values of the sandbox, such as `{access_token}`. */
const request = v.strictObject({
	/** Method and path below the base URL. */
	line: v.pipe(v.string(), v.regex(/^(?:GET|POST) \/\S*$/, 'Write a method and a path, such as GET /path.')),
	headers: v.exactOptional(fields),
	form: v.exactOptional(fields)
});

/** A situation and the request in it. */
const sending = v.strictObject({
	situation: v.picklist(situations),
	/** Parameters besides the usual ones, or in place of them. An empty value leaves one out. */
	authorize: v.exactOptional(fields),
	token: v.exactOptional(fields),
	headers: v.exactOptional(fields),
	/** Of the situation `request`. */
	request: v.exactOptional(request)
});

/** The response that the service sends. */
const expectation = v.strictObject({
	status: v.number(),
	/** Header fields, in lower case: a part of the value, or null where the response must not have the field. */
	headers: v.exactOptional(v.record(v.string(), v.nullable(v.string()))),
	contains: v.exactOptional(texts),
	lacks: v.exactOptional(texts)
});

/** What a client that knows another dialect only does not expect. */
const unexpected = {
	title: text,
	/** What it means for a client, or why it is so, in one sentence. */
	why: text,
	send: sending,
	expect: expectation
};

/** Where a client that knows the standard only goes wrong at a provider. */
export const surprise = v.strictObject({
	...unexpected,
	/** The place in `dialect` that decides. */
	fact: text,
	/** The id of the check that decides. Stable. */
	check: text
});

/** What today's standards do otherwise than the specification. */
const difference = v.strictObject({
	...unexpected,
	/** Of links. Stable. */
	id: v.pipe(v.string(), v.regex(/^[a-z_]+$/, 'Use small letters and _.')),
	/** Of an RFC (`RFC 7009 §2`), of OpenID or of a draft. */
	section: text,
	/** What to change in a client. */
	change: v.strictObject({ text, before: text, after: text }),
	/** What the specification does in the same situation, and its section. */
	specification: v.strictObject({ section: text, expect: expectation })
});

/** A file of `src/content/providers`. */
export const providerFile = v.strictObject({
	title: text,
	/** Before a colon: `GitHub: errors have status 200`. */
	short: text,
	/** The name of the company, for "Not affiliated with …". Absent: the dialect is our own. */
	owner: v.exactOptional(text),
	version: v.pipe(v.number(), v.integer(), v.minValue(1)),
	/** The dialect that has what is missing. */
	extends: v.exactOptional(v.literal('standard')),
	/** What a client should ask for in an example. */
	exampleScope: v.exactOptional(text),
	sources: v.array(source),
	dialect: dialectPart,
	surprises: v.array(surprise),
	/** Of today's standards only. */
	differences: v.exactOptional(v.array(difference)),
	notSimulated: texts
});

export type ProviderFile = v.InferOutput<typeof providerFile>;
export type Surprise = ProviderFile['surprises'][number];
export type Source = ProviderFile['sources'][number];
export type Difference = NonNullable<ProviderFile['differences']>[number];
export type Sending = Surprise['send'];
type Expectation = Surprise['expect'];

/** The response of an exchange, as the traffic log has it. */
type Received = {
	readonly status: number;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string;
};

/** What a response has other than documented: one sentence each. Empty where it is as documented. */
export function deviations(
	{ status, headers = {}, contains = [], lacks = [] }: Expectation,
	received: Received | null
): string[] {
	if (received === null) return ['There was no response.'];
	const valueOf = (name: string) => received.headers.find(([one]) => one.toLowerCase() === name)?.[1];
	return [
		...(received.status === status ? [] : [`The status is ${received.status}, documented is ${status}.`]),
		...Object.entries(headers).flatMap(([name, part]) => {
			const value = valueOf(name);
			if (part === null) return value === undefined ? [] : [`The response has ${name}.`];
			return value?.includes(part) === true ? [] : [`${name} is ${value ?? 'missing'}, documented is “${part}” in it.`];
		}),
		...contains.filter((part) => !received.body.includes(part)).map((part) => `The body has no ${part}.`),
		...lacks.filter((part) => received.body.includes(part)).map((part) => `The body has ${part}.`)
	];
}
