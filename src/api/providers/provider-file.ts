import * as v from 'valibot';
import { dialectPart } from './dialect-schema.ts';

const text = v.pipe(v.string(), v.minLength(1, 'Write at least one character.'));
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
	'refresh_after_revocation'
] as const;
export type Situation = (typeof situations)[number];

/** A public page or repository, and which facts of the dialect it shows. */
const source = v.strictObject({
	title: text,
	url: v.pipe(v.string(), v.regex(/^(?:https:\/\/\S+|\/docs\/[a-z-]+)$/, 'Write an https URL.')),
	/** When it was read. */
	read: v.pipe(v.string(), v.isoDate('Write a date such as 2026-11-29.')),
	/** `observed`: seen in real traffic or in the code of clients, and not in the documentation of the provider. */
	kind: v.picklist(['documented', 'observed']),
	/** Places in `dialect`: `errors.token.status`. Each covers what is below it. */
	facts: v.pipe(texts, v.minLength(1, 'Name the facts that it shows.'))
});

/** Where a client that knows the standard only goes wrong. */
const surprise = v.strictObject({
	title: text,
	/** What it means for a client, in one sentence. */
	why: text,
	/** The place in `dialect` that decides. */
	fact: text,
	/** The id of the check that decides. Stable. */
	check: text,
	send: v.strictObject({
		situation: v.picklist(situations),
		/** Parameters besides the usual ones, or in place of them. An empty value leaves one out. */
		authorize: v.exactOptional(fields),
		token: v.exactOptional(fields),
		headers: v.exactOptional(fields)
	}),
	/** The response that the service sends. */
	expect: v.strictObject({
		status: v.number(),
		/** Header fields, in lower case: a part of the value. */
		headers: v.exactOptional(fields),
		contains: v.exactOptional(texts),
		lacks: v.exactOptional(texts)
	})
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
	notSimulated: texts
});

export type ProviderFile = v.InferOutput<typeof providerFile>;
export type Surprise = ProviderFile['surprises'][number];
export type Source = ProviderFile['sources'][number];
