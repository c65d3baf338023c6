import type { TrafficEntry } from '#api/control/traffic.ts';
import { hidden } from '#api/redact.ts';
import { bodyFormat, type BodyFormat, headerOf } from './message/http-message.ts';
import { bodyOf, headersOf, labelText, partsOf, targetOf, valuesIn, withLabels } from '#evidence/message-text.ts';
import { companionRegistration, viewerRegistration, type World } from '#client/world.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import { IndexedDbStorage } from '#client/storage/indexed-db.ts';
import type { SharedStorage } from '#client/storage/shared-storage.ts';
import { clientNamespaces } from '#client/storage/tab-state.svelte.ts';

/** A request that the user edits. Placeholders are in place of its secrets. */
export type Draft = {
	readonly method: string;
	readonly target: string;
	/** One `Name: value` in each line. */
	readonly headers: string;
	readonly body: string;
	/** The labels of the secrets, by placeholder. */
	readonly placeholders: ReadonlyMap<string, string>;
};

/** Headers that a browser sets itself. */
const forbidden =
	/^(?:accept-encoding|connection|content-length|cookie|dnt|host|origin|priority|referer|sec-.*|te|upgrade-insecure-requests|user-agent|x-forwarded-.*)$/i;

/** A logged request as a draft. */
export function draftOf(entry: TrafficEntry): Draft {
	const headers = headersOf(entry, 'request').filter(([name]) => !forbidden.test(name));
	const texts = [targetOf(entry), bodyOf(entry, 'request'), ...headers.map(([, value]) => value)];
	const plain = texts.flatMap(partsOf).flatMap(({ text, value }) => (value === undefined ? [text] : []));
	const placeholders = new Map<string, string>();
	for (const value of valuesIn(entry, '/request/')) {
		let placeholder = labelText(value);
		// The client sent a text that looks like the placeholder.
		while (plain.some((text) => text.includes(placeholder))) placeholder = placeholder.replace(/›$/, '*›');
		placeholders.set(value.label, placeholder);
	}
	const written = (text: (typeof texts)[number]) => withLabels(text, ({ label }) => placeholders.get(label) ?? '');
	return {
		method: entry.request.method,
		target: written(targetOf(entry)),
		headers: headers.map(([name, value]) => `${name}: ${written(value)}`).join('\n'),
		body: written(bodyOf(entry, 'request')),
		placeholders: new Map([...placeholders].map(([label, placeholder]) => [placeholder, label]))
	};
}

/** The labels of the values that a draft needs, each once. */
export function labelsOf({ target, headers, body, placeholders }: Draft): string[] {
	const text = `${target}\n${headers}\n${body}`;
	const labels = [...placeholders].flatMap(([placeholder, label]) => (text.includes(placeholder) ? [label] : []));
	return text.includes(hidden) ? [...labels, hidden] : labels;
}

/**
 * The request of a draft, with its secrets.
 * @param secrets by label
 * @param origin of the service, the only place that it is sent to
 */
export function requestOf(
	draft: Draft,
	secrets: ReadonlyMap<string, string>,
	origin: string
): { url: string; init: RequestInit } {
	const byPlaceholder = new Map([[hidden, secrets.get(hidden) ?? '']]);
	for (const [placeholder, label] of draft.placeholders)
		byPlaceholder.set(placeholder, secrets.get(label) ?? placeholder);
	const headers = draft.headers.split('\n').flatMap((line): [string, string][] => {
		const [, name, value = ''] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
		return name === undefined ? [] : [[name, fill(value, byPlaceholder, plain)]];
	});
	const body = fill(draft.body, byPlaceholder, encoders[bodyFormat(headers)]);
	const hasBody = body !== '' && !/^(?:GET|HEAD)$/i.test(draft.method);
	return {
		url: `${origin}/${fill(draft.target, byPlaceholder, encodeURIComponent).replace(/^\//, '')}`,
		init: { method: draft.method, headers, ...(hasBody ? { body } : {}), redirect: 'manual' }
	};
}

/** The exchange of a request that was sent after `seq`, by the id of its response, or by method and path if no id can be read. */
export function findSent(
	entries: readonly TrafficEntry[],
	sent: { readonly seq: number; readonly id: string | undefined; readonly method: string; readonly target: string }
): TrafficEntry | undefined {
	const path = sent.target.split('?', 1)[0];
	return entries.find(({ seq, id, request }) =>
		sent.id === undefined
			? seq > sent.seq && request.method === sent.method && request.target.split('?', 1)[0] === path
			: id === sent.id
	);
}

/** The id that a response has. Redirects hide it from scripts. */
export function requestIdOf(response: Response): string | undefined {
	return headerOf([...response.headers], 'x-request-id');
}

const plain = (text: string): string => text;
const encoders: Readonly<Record<BodyFormat, (text: string) => string>> = {
	form: encodeURIComponent,
	json: (text) => JSON.stringify(text).slice(1, -1),
	xml: plain,
	html: plain,
	text: plain
};

/** @param secrets by placeholder */
function fill(text: string, secrets: ReadonlyMap<string, string>, encode: (text: string) => string): string {
	const pattern = [...secrets.keys()].map((placeholder) => placeholder.replace(/[.*+]/g, '\\$&')).join('|');
	if (pattern === '') return text;
	return text.replace(new RegExp(pattern, 'g'), (placeholder) => encode(secrets.get(placeholder) ?? ''));
}

/** What a client of this browser holds: its application, and the tokens of its users. */
type OwnCredentials = {
	readonly client_id: string;
	readonly client_secret: string;
	readonly tokens: readonly string[];
};

const storages = new Map<string, SharedStorage>();

/**
 * Reads what the demo clients of this browser hold for a service. Empty if the browser blocks storage.
 * @param baseUrl of the service
 * @param path that the app is served from, without a trailing slash
 * @param world of the service
 */
export async function readOwnCredentials(baseUrl: string, path: string, world: World): Promise<OwnCredentials[]> {
	const clients = [
		[clientNamespaces.viewer, viewerRegistration(world, baseUrl)],
		[clientNamespaces.companion, companionRegistration(world)]
	] as const;
	const found: OwnCredentials[] = [];
	for (const [namespace, { client_id, client_secret }] of clients) {
		try {
			const name = namespace + path;
			const storage = storages.get(name) ?? new IndexedDbStorage(name);
			storages.set(name, storage);
			const [settings, users] = await Promise.all([storage.get('settings'), storage.get('users')]);
			const entered = settings.find(({ issuer }) => issuer === baseUrl)?.credentials;
			const own = users.filter(({ issuer }) => issuer === baseUrl);
			const tokens = own.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token ?? '']);
			found.push({ client_id, client_secret, ...entered, tokens: tokens.filter((token) => token !== '') });
		} catch {
			// Storage is blocked.
		}
	}
	return found;
}

/**
 * The values of an exchange that this browser holds, by label. A token is known by its digest. A secret is that of the client that
 * the service has authenticated.
 */
export async function ownValues(
	{ values, client_id }: Pick<TrafficEntry, 'values' | 'client_id'>,
	own: readonly OwnCredentials[]
): Promise<ReadonlyMap<string, string>> {
	const byId = new Map<string, string>();
	for (const token of own.flatMap(({ tokens }) => tokens)) byId.set(await credentialId(token), token);
	const secret = own.find((one) => one.client_id === client_id)?.client_secret;
	const found = new Map<string, string>();
	for (const { label, id } of values) {
		const value = label.startsWith('client secret ') ? secret : byId.get(id);
		if (value !== undefined) found.set(label, value);
	}
	return found;
}
