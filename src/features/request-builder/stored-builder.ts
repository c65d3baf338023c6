import * as v from 'valibot';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { keepTyped, typedText } from '#client/storage/typed-text.svelte.ts';
import type { TextStorage } from '#client/storage/web-storage.ts';
import { mapValues } from '#lib/map-values.ts';
import { isSecret, type RequestDraft } from './draft.ts';
import { kindRows, requestKinds } from './request-kinds.ts';
import type { Drafts } from './drafts.ts';

const parameter = v.object({
	in: v.picklist(['query', 'form', 'header', 'path']),
	name: v.string(),
	value: v.string(),
	isOn: v.boolean(),
	isOwn: v.exactOptional(v.boolean()),
	isTyped: v.exactOptional(v.boolean())
});

const draft = v.object({
	method: v.picklist(['GET', 'POST']),
	path: v.string(),
	bodyType: v.picklist(['form', 'json']),
	parameters: v.array(parameter)
});

const storedBuilder = v.object({
	kind: v.picklist(requestKinds),
	client_id: v.string(),
	drafts: v.object(mapValues(kindRows, () => draft)),
	/** The id of the chosen mistake. */
	mistake: v.nullable(v.string()),
	/** Of a lesson: the page for the last device codes. */
	verificationUrl: v.exactOptional(v.string()),
	/** The authorization request that the tab was sent away with. */
	awaiting: v.nullable(
		v.object({
			/** Path and query of the page to return to. */
			page: v.string(),
			/** Null where none was sent. */
			state: v.nullable(v.string()),
			/** Kept until the response arrives. Null without PKCE. */
			code_verifier: v.nullable(v.string())
		})
	)
});

/** What a tab keeps of the builder for one service while the user is away. It contains no client secret, code or token, except in lessons. */
export type StoredBuilder = v.InferOutput<typeof storedBuilder>;

const keyOf = (baseUrl: string) => `tollgate-request-builder ${baseUrl}`;

/** Reads what was stored. Undefined where nothing was, or something else. */
export function readStored(storage: TextStorage, baseUrl: string): StoredBuilder | undefined {
	const stored = v.safeParse(storedBuilder, parseJson(typedText(keyOf(baseUrl), () => storage)));
	return stored.success ? stored.output : undefined;
}

/**
 * Stores the builder. Without storage the page still works.
 * @param keepsSecrets stores the values of secret parameters too
 */
export function writeStored(
	storage: TextStorage,
	baseUrl: string,
	builder: Omit<StoredBuilder, 'drafts'> & { readonly drafts: Drafts },
	keepsSecrets = false
): void {
	const drafts = mapValues(builder.drafts, (one) => (keepsSecrets ? one : withoutSecrets(one)));
	keepTyped(keyOf(baseUrl), JSON.stringify({ ...builder, drafts }), () => storage);
}

function withoutSecrets({ parameters, ...rest }: RequestDraft): RequestDraft {
	const kept = parameters.map((one) => (isSecret(one.name) ? { ...one, value: schemeOf(one.value) } : one));
	return { ...rest, parameters: kept };
}

/** The scheme of an Authorization header with a space, empty of any other secret. */
function schemeOf(value: string): string {
	return /^(?:OAuth|Bearer) /.exec(value)?.[0] ?? '';
}
