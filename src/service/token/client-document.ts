import * as v from 'valibot';
import type { CauseOf } from '#api/checks.ts';
import {
	cachedSeconds,
	clientDocument,
	type DocumentFault,
	hostedName,
	maxDocument
} from '#api/control/client-documents.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { delayResponse } from '../checks/fault-responses.ts';
import { check, type Check, when, whenStandard } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { decodeUtf8, encodeUtf8 } from '../core/encoding.ts';
import { type ErrorDetails, ProtocolError } from '../core/errors.ts';
import { readHosted, servedText } from '../sandbox/hosted-documents.ts';
import { validateUris } from '../sandbox/validate-uris.ts';
import { createSecret } from './client-authentication.ts';
import type { Application } from '../sandbox/records.ts';

/** The longest URL that is a `client_id`, in characters. */
const maxUrl = 500;

/** How long a document may take, in milliseconds. */
const timeLimit = 5000;

/** What the checks have found of the document of a client. */
class FoundDocument {
	url!: URL;
	/** `known`: the client is stored, and its document is fresh. */
	source: 'hosted' | 'known' | 'network' = 'network';
	/** What is wrong with the server of a hosted document. */
	fault: DocumentFault | undefined;
	/** Where it may be fetched from. */
	address!: string;
	body!: Uint8Array;
	/** For how many seconds it may be cached. */
	maxAge = 0;
	content!: object;
	metadata!: v.InferOutput<typeof clientDocument>;
	uris!: ReturnType<typeof validateUris>;
}

/** Those of requests in progress. Most requests have none. */
const documents = new WeakMap<Context, FoundDocument>();

const rejections: Readonly<
	Record<CauseOf<'client_document.address_allowed'> | CauseOf<'client_document.fetched'>, string>
> = {
	no_address: 'The host of client_id has no address.',
	not_public: 'The host of client_id has an address that is not public.',
	port_not_allowed: 'The port of client_id must be 443, or 1024 and above.',
	busy: 'This server is fetching too many documents. Try again in a moment.',
	compressed: 'The document is compressed. Send it without Content-Encoding.',
	redirected: 'The URL redirects. The document must be at client_id itself.',
	too_large: `The document is larger than ${maxDocument} bytes.`,
	too_slow: 'The server of client_id took longer than five seconds.',
	unreachable: 'The server of client_id cannot be reached.',
	untrusted_certificate: 'The certificate of the server of client_id is not trusted.',
	wrong_content_type: 'The document must have the content type application/json.',
	wrong_status: 'The document must have the status 200.'
};

/**
 * The checks of a client whose `client_id` is a URL (OAuth Client ID Metadata Document). Its document is read here, or fetched unless
 * it is cached, and the client is stored as an installed application. Other clients pass without a trace.
 * @param idOf the `client_id` of a request
 */
export function clientDocumentChecks<C extends Context>(idOf: (context: C) => string | undefined): readonly Check<C>[] {
	const applies = (context: C) => /^https?:\/\//i.test(idOf(context) ?? '');
	const isRead = (context: C) => documentOf(context).source !== 'known';
	const isRemote = (context: C) => documentOf(context).source === 'network';
	const isFetched = (context: C) => isRemote(context) || (documentOf(context).fault ?? 'cached') !== 'cached';
	return whenStandard<C>(applies, [
		check('client_document.url_valid', (context) => readUrl(context, idOf(context) ?? '')),
		check('client_document.found', find),
		...when<C>(isRemote, [check('client_document.address_allowed', locate)]),
		...when<C>(isFetched, [check('client_document.fetched', fetchDocument)]),
		...when<C>(isRead, [
			check('client_document.is_json', parse),
			check('client_document.client_id_equal', compareId),
			check('client_document.metadata_valid', readMetadata),
			check('client_document.redirect_uris_valid', readRedirectUris),
			check('client_document.client_stored', storeClient)
		])
	]);
}

function documentOf(context: Context): FoundDocument {
	const found = documents.get(context) ?? new FoundDocument();
	documents.set(context, found);
	return found;
}

/** What a URL must not be, in this order (CIMD, section 3). Other parsers must not see another host in it, so the last one is strict. */
const urlRules: readonly (readonly [CauseOf<'client_document.url_valid'>, (id: string) => boolean, string])[] = [
	['too_long', (id) => id.length > maxUrl, `A client_id that is a URL can have at most ${maxUrl} characters.`],
	['not_https', (id) => !id.startsWith('https://'), 'A client_id that is a URL must begin with https://.'],
	['credentials', (id) => /^https?:\/\/[^/?#\\]*@/.test(id), 'The URL must not have a user name or password.'],
	['fragment', (id) => id.includes('#'), 'The URL must not have a fragment.'],
	['no_path', (id) => !/^https?:\/\/[^/?#]+\/[^?]/.test(id), 'The URL must have a path, such as /client.json.'],
	[
		'dot_segment',
		(id) => /\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(id),
		'The path of the URL must not have the segments . and ..'
	],
	[
		'not_normalized',
		(id) => !URL.canParse(id) || new URL(id).href !== id,
		'The URL must be written as browsers write it: the host in lower case, addresses in decimal, no default port.'
	]
];

function readUrl(context: Context, id: string): void {
	const isOwn = hostedName(context.sandbox.base_url, id) !== undefined;
	const isHere = (cause: string) => isOwn && cause === 'not_https';
	const [cause, , text = ''] = urlRules.find(([cause, isBroken]) => isBroken(id) && !isHere(cause)) ?? [];
	if (cause !== undefined) throw rejected(text, { cause, received: [id] });
	documentOf(context).url = new URL(id);
	context.note(id.includes('?') ? `${id}, with a query, which a client should not have` : id);
}

async function find(context: Context): Promise<void> {
	const found = documentOf(context);
	const { href } = found.url;
	const name = hostedName(context.sandbox.base_url, href);
	if (name !== undefined) {
		const document = await readHosted(context.sandbox, name);
		if (document === undefined)
			throw rejected('This sandbox hosts no document at this URL.', { cause: 'not_hosted', received: [href] });
		found.source = 'hosted';
		found.fault = document.fault;
		found.body = encodeUtf8(servedText(context.sandbox, name, document));
		if (found.fault !== 'cached')
			return context.note(
				`Hosted by this sandbox: ${found.fault === undefined ? 'read without a request' : `fault ${found.fault}`}`
			);
		found.maxAge = cachedSeconds;
	}
	const { document_until = 0 } = (await context.store.get('application', href)) ?? {};
	const seconds = Math.ceil((document_until - context.now()) / 1000);
	if (seconds > 0) {
		found.source = 'known';
		return context.note(`Cached for ${seconds} more seconds`);
	}
	if (name !== undefined) return context.note('Hosted by this sandbox: may be cached');
	if (context.options.documents === undefined)
		throw rejected('This host cannot fetch documents. Use one that the sandbox hosts.', {
			cause: 'no_network',
			received: [href],
			expected: [`${context.sandbox.base_url}/ws/oauth2/clients/…`]
		});
	// An image or a frame of any site must not make this server connect to a host of the site's choice.
	const { method } = context.request;
	const [site, mode, dest] = ['site', 'mode', 'dest'].map((name) => context.header(`sec-fetch-${name}`));
	if (method === 'GET' && site !== undefined && (mode !== 'navigate' || dest !== 'document'))
		throw rejected('This request is no navigation of a user, so the document is not fetched. Open the URL in a tab.', {
			cause: 'no_navigation',
			received: [`Sec-Fetch-Mode: ${mode ?? ''}, Sec-Fetch-Dest: ${dest ?? ''}`.slice(0, 100)],
			expected: ['Sec-Fetch-Mode: navigate, Sec-Fetch-Dest: document']
		});
	await recordFailedAttempt(context, 'fetch_document');
	context.note('Not cached: it is fetched');
}

async function locate(context: Context): Promise<void> {
	const found = documentOf(context);
	const located = await context.options.documents?.locate(found.url, context.sharer);
	if (located === undefined || 'cause' in located) throw notFetched(located);
	found.address = located.address;
	context.note(`${found.url.host}: ${located.address}`);
}

async function fetchDocument(context: Context): Promise<void> {
	const found = documentOf(context);
	if (found.source === 'hosted') return fetchHosted(context, found);
	const fetched = await context.options.documents?.fetch(found.url, found.address, context.sharer);
	if (fetched === undefined || 'cause' in fetched) throw notFetched(fetched);
	({ body: found.body, maxAge: found.maxAge } = fetched);
	// Records that were read before may have changed since.
	context.store = await context.sandbox.store.begin(() => []);
	context.note(`${found.body.length} bytes, may be cached for ${found.maxAge} seconds`);
}

/** What a hosted document with a fault would be to the server that fetches it. */
async function fetchHosted(context: Context, { fault, body }: FoundDocument): Promise<void> {
	if (fault === 'slow') {
		await delayResponse(context, timeLimit);
		throw notFetched({ cause: 'too_slow', found: `${timeLimit} ms` });
	}
	if (fault === 'too_large') throw notFetched({ cause: 'too_large', found: `${body.length} bytes` });
	if (fault === 'redirect') throw notFetched({ cause: 'redirected', found: '307' });
	if (fault === 'content_type') throw notFetched({ cause: 'wrong_content_type', found: 'text/plain' });
	context.note(`${body.length} bytes`);
}

function parse(context: Context): void {
	const found = documentOf(context);
	const text = decodeUtf8(found.body);
	const content = text === undefined ? undefined : parseJson(text);
	if (typeof content !== 'object' || content === null || Array.isArray(content))
		throw rejected('The document is not a JSON object in UTF-8.', { received: [text?.slice(0, 200) ?? '(not UTF-8)'] });
	found.content = content;
	context.note(`Fields: ${Object.keys(content).length}`);
}

/** As strings, without normalization (RFC 3986, section 6.2.1). */
function compareId(context: Context): void {
	const { content, url } = documentOf(context);
	const inside = 'client_id' in content ? content.client_id : undefined;
	if (inside !== url.href)
		throw rejected('client_id in the document must be the URL of the document, character by character.', {
			cause: inside === undefined ? 'missing' : 'different',
			received: [typeof inside === 'string' ? inside.slice(0, maxUrl) : '(no text)'],
			expected: [url.href]
		});
	context.compare(inside, [url.href]);
}

function readMetadata(context: Context): void {
	const found = documentOf(context);
	const result = v.safeParse(clientDocument, found.content, { abortEarly: true });
	if (!result.success) {
		const place = v.getDotPath(result.issues[0])?.slice(0, 60) ?? '';
		throw rejected(`The document is malformed at ${place}.`, { cause: 'malformed', received: [place] });
	}
	const { output } = result;
	if ('client_secret' in found.content || 'client_secret_expires_at' in found.content)
		throw rejected('The document must not contain a secret, because everyone can read it.', { cause: 'secret' });
	const method = output.token_endpoint_auth_method ?? 'none';
	if (method !== 'none')
		throw rejected('token_endpoint_auth_method must be none: a document can prove nothing to the token endpoint.', {
			cause: 'with_authentication',
			received: [method],
			expected: ['none']
		});
	const { grant_types, response_types } = output;
	if (grant_types?.includes('authorization_code') === false || response_types?.includes('code') === false)
		throw rejected('grant_types must contain authorization_code, and response_types code.', { cause: 'other_grants' });
	found.metadata = output;
	context.note(nameOf(found));
}

function readRedirectUris(context: Context): void {
	const found = documentOf(context);
	const { redirect_uris, post_logout_redirect_uris } = found.metadata;
	try {
		if ((redirect_uris ?? []).length === 0) throw rejected('The document needs at least one redirect URI.');
		const uris = { redirect_uris: redirect_uris ?? [], post_logout_redirect_uris: post_logout_redirect_uris ?? [] };
		found.uris = validateUris('installed', uris, context.dialect.loopback);
	} catch (fault) {
		if (!(fault instanceof ProtocolError)) throw fault;
		throw rejected(fault.message, { received: [(redirect_uris ?? []).join(' ').slice(0, 500)] });
	}
	context.note(found.uris.redirect_uris.join(' '));
}

async function storeClient(context: Context): Promise<void> {
	const found = documentOf(context);
	const client_id = found.url.href;
	const { grant_types } = found.metadata;
	const { secret } = createSecret(context.options);
	const known = await context.store.get('application', client_id);
	const place = known === undefined ? await makePlace(context) : 'Known before';
	await context.store.update('application', client_id, (now) => ({
		client_id,
		name: nameOf(found),
		kind: 'installed',
		...found.uris,
		...(grant_types && { grant_types: [...new Set(grant_types)].slice(0, 10) }),
		registered: now?.registered ?? context.sandbox.seconds(),
		secret: now?.secret ?? secret,
		...(now?.address !== undefined && { address: now.address }),
		// A client that was used lasts.
		...((now === undefined || now.expires !== undefined) && { expires: context.now() + unusedLifetime }),
		createdBy: now?.createdBy ?? context.networkAddress,
		document_until: context.now() + found.maxAge * 1000
	}));
	context.note(
		found.source === 'hosted' && found.fault !== 'cached' ? place : `${place}, cached for ${found.maxAge} seconds`
	);
}

function nameOf({ metadata, url }: FoundDocument): string {
	return sanitizeText((metadata.client_name ?? '').trim()) || url.host;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

type Rejection = { readonly cause: keyof typeof rejections; readonly found: string };

function notFetched(rejection: Rejection | undefined): ProtocolError {
	const { cause, found } = rejection ?? { cause: 'unreachable', found: '' };
	return rejected(rejections[cause], { cause, received: [found] });
}

/** Users see it on a page: there is no redirect URI yet that it could be sent to. */
function rejected(description: string, details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError('invalid_request', description, details);
}

/** How many clients of a sandbox may have registered themselves, or have come with a document. */
const maxClients = 20;
/** How long such a client stays that is not used, in milliseconds of the sandbox clock. The first code makes it last. */
export const unusedLifetime = 60 * 60 * 1000;
/** What the ids of clients that registered themselves begin with. */
export const idPrefix = 'dynamic-';

type Clients = readonly (readonly [client_id: string, application: Application])[];

/**
 * Makes room for one more client that the owner did not register: an unused one is removed.
 * @returns what happened, for the trace
 * @throws ProtocolError `too_many_attempts`, `limit_reached`
 */
export async function makePlace(context: Context): Promise<string> {
	await recordFailedAttempt(context, 'register_client');
	const clients = (await context.store.list('application')).filter(
		([id, { document_until }]) => id.startsWith(idPrefix) || document_until !== undefined
	);
	if (clients.length < maxClients) return `${clients.length} of ${maxClients} clients have registered`;
	const victim = unusedToRemove(clients, context.networkAddress);
	if (victim === undefined) throw tooMany(clients, context.networkAddress);
	await context.store.delete('application', victim);
	return `${clients.length} clients have registered: ${victim}, which was never used, is removed`;
}

/**
 * The client that is removed for a new one: the oldest unused one of the address that has registered the most, if that address has more
 * than the one that registers, or is the same.
 */
function unusedToRemove(clients: Clients, address: string): string | undefined {
	const own = countOf(clients, address);
	const removable = clients.filter(
		([, { createdBy, expires }]) =>
			expires !== undefined && (createdBy === address || countOf(clients, createdBy) > own)
	);
	const most = Math.max(...removable.map(([, { createdBy }]) => countOf(clients, createdBy)));
	return removable.find(([, { createdBy }]) => countOf(clients, createdBy) === most)?.[0];
}

function countOf(clients: Clients, address: string | undefined): number {
	return clients.filter(([, { createdBy }]) => createdBy === address).length;
}

function tooMany(clients: Clients, address: string): ProtocolError {
	const own = countOf(clients, address);
	if (clients.every(([, { createdBy }]) => countOf(clients, createdBy) <= own))
		return new ProtocolError(
			'too_many_attempts',
			`Your address has registered ${own} clients that are used in this sandbox. Use one of them again.`,
			{ cause: 'too_many_clients' }
		);
	return new ProtocolError(
		'limit_reached',
		`${maxClients} clients have registered in this sandbox, and all are used. Its owner can delete some in the console.`,
		{ cause: 'too_many_clients' }
	);
}
