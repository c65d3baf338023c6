import {
	credentialKinds,
	type Credentials,
	credentialsApi,
	type LiveGrant,
	type ReplayResult
} from '#api/control/credentials.ts';
import { ProtocolError } from '../core/errors.ts';
import type { AccessToken, AuthorizationCode, Grant } from '../sandbox/records.ts';
import { activeGrant, endRefreshToken, grantOfActive, revokeGrant } from '../token/tokens.ts';
import { forwardedHeaders, type HandleRequest } from './authorizations.ts';
import { type ControlContext, implement } from './control-endpoint.ts';
import { headerValue } from '#api/headers.ts';
import type { WireRequest } from '#api/message.ts';
import { base64url, encodeUtf8 } from '../core/encoding.ts';
import { rootSandbox } from '../core/target.ts';

/** How many grants one response lists, and how many codes and access tokens of each. */
const maxGrants = 100;
const maxPerGrant = 50;

/** Entries of one grant, newest first. */
type Entries<T> = (readonly [id: string, entry: T])[];

/**
 * The codes and tokens that are alive.
 * @param handle of the service, for requests that are sent again
 */
export function credentialsEndpoints(handle: HandleRequest) {
	return implement(credentialsApi, {
		'GET /control/credentials': listGrants,
		'POST /control/credentials/codes/{id}/replay': (context, { path: { id } }) => replayCode(context, handle, id),
		'POST /control/credentials/refresh_tokens/{id}/replay': (context, { body: { client_id }, path: { id } }) =>
			replayRefreshToken(context, handle, { client_id, id }),
		'DELETE /control/credentials/{kind}/{id}': async (context, { path: { kind: name, id } }) => {
			const kind = credentialKinds.find((known) => known === name);
			if (kind === undefined || !(await endings[kind](context, id)))
				throw new ProtocolError('not_found', 'There is no live credential of this kind with this id.');
			return { deleted: id };
		}
	});
}

/** The newest grants with their live credentials. */
async function listGrants(context: ControlContext): Promise<Credentials> {
	const { store } = context;
	const all = (await store.list('grant')).map(([, grant]) => grant).reverse();
	const listed = all.slice(0, maxGrants);
	const ids = new Set(listed.map(({ id }) => id));
	const codes = groupByGrant(await store.list('code'), ids);
	const tokens = groupByGrant(await store.list('access_token'), ids);
	const grants: LiveGrant[] = [];
	for (const grant of listed)
		grants.push(await liveGrant(context, grant, codes.get(grant.id) ?? [], tokens.get(grant.id) ?? []));
	return { now: context.now(), grants, more: all.length - listed.length };
}

/** Each ends one credential. They return false if it is not alive. */
const endings = {
	async grants(context: ControlContext, id: string): Promise<boolean> {
		const found = (await context.store.list('grant')).find(([, grant]) => grant.id === id)?.[1];
		return found !== undefined && revokeGrant(context, found.username, found.client_id, id);
	},
	async codes(context: ControlContext, id: string): Promise<boolean> {
		const { store } = context;
		const code = await store.get('code', id);
		if (code === undefined || (await activeGrant(context, code)) === undefined) return false;
		let wasAlive = false;
		// An exchange may have consumed it meanwhile.
		await store.update('code', id, (now) => {
			wasAlive = now !== undefined && isUnused(context, now);
			return wasAlive ? undefined : now;
		});
		return wasAlive;
	},
	async access_tokens(context: ControlContext, id: string): Promise<boolean> {
		const { store } = context;
		const token = await store.get('access_token', id);
		if (token === undefined || (await grantOfActive(context, token)) === undefined) return false;
		return (await store.delete('access_token', id)) !== undefined;
	},
	refresh_tokens: endRefreshToken
};

async function liveGrant(
	context: ControlContext,
	grant: Grant,
	codes: Entries<AuthorizationCode>,
	tokens: Entries<AccessToken>
): Promise<LiveGrant> {
	const { store } = context;
	const { id, client_id, username, scopes, offline, since, last_used } = grant;
	const application = (await store.get('application', client_id))?.name ?? client_id;
	const unused = codes.filter(([, code]) => isUnused(context, code));
	const access_tokens: LiveGrant['access_tokens'] = [];
	for (const [digest, { scopes, expires, family }] of tokens.slice(0, maxPerGrant))
		if ((await store.get('token_family', family)) !== undefined)
			access_tokens.push({ id: digest, scopes: [...scopes], expires });
	const refresh_tokens: LiveGrant['refresh_tokens'] = [];
	for (const digest of grant.refresh.toReversed()) {
		const token = await store.get('refresh_token', digest);
		if (token !== undefined) refresh_tokens.push({ id: digest, scopes: [...token.scopes] });
	}
	return {
		id,
		client_id,
		application,
		username,
		scopes: [...scopes],
		offline,
		since,
		last_used,
		codes: unused
			.slice(0, maxPerGrant)
			.map(([id, code]) => ({ id, scopes: [...code.scopes], expires: code.validUntil })),
		access_tokens,
		refresh_tokens,
		more: Math.max(0, unused.length - maxPerGrant) + Math.max(0, tokens.length - maxPerGrant)
	};
}

function isUnused(context: ControlContext, code: AuthorizationCode): boolean {
	return code.consumedBy === undefined && context.now() < code.validUntil;
}

function groupByGrant<T extends { readonly grant: string }>(
	entries: readonly (readonly [string, T])[],
	ids: ReadonlySet<string>
): Map<string, Entries<T>> {
	const groups = new Map<string, Entries<T>>();
	for (const entry of entries.toReversed()) {
		const { grant } = entry[1];
		if (!ids.has(grant)) continue;
		const group = groups.get(grant);
		if (group === undefined) groups.set(grant, [entry]);
		else group.push(entry);
	}
	return groups;
}

/**
 * Sends the token request of a used code again. It passes the checks of any request, and the traffic log has it. Random values are in
 * place of the code and the client secret, of which the service has digests only.
 * @param handle of the service
 * @param id digest of the code
 */
async function replayCode(context: ControlContext, handle: HandleRequest, id: string): Promise<ReplayResult> {
	const code = await context.store.get('code', id);
	if (code === undefined)
		throw new ProtocolError('not_found', 'There is no code with this id. It may have been deleted.');
	if (code.consumedBy === undefined && context.now() < code.validUntil)
		throw new ProtocolError('conflict', 'The code has not been used. Exchange it first.');
	const { client_id, redirect_uri } = code;
	const form = { grant_type: 'authorization_code', redirect_uri };
	return send(context, handle, client_id, { form, field: 'code', id });
}

/**
 * Sends a refresh request with a refresh token again, also one that was revoked, whose record is gone.
 * @param handle of the service
 * @param replay digest of the token, and the client that sends it
 */
function replayRefreshToken(
	context: ControlContext,
	handle: HandleRequest,
	{ id, client_id }: { readonly id: string; readonly client_id: string }
): Promise<ReplayResult> {
	return send(context, handle, client_id, { form: { grant_type: 'refresh_token' }, field: 'refresh_token', id });
}

/** A token request without its secrets: `id` is the digest of the value of `field`. */
type Replay = { readonly form: Readonly<Record<string, string>>; readonly field: string; readonly id: string };

async function send(
	context: ControlContext,
	handle: HandleRequest,
	client_id: string,
	{ form, field, id }: Replay
): Promise<ReplayResult> {
	const application = await context.store.get('application', client_id);
	if (application === undefined) throw new ProtocolError('not_found', 'There is no application with this client_id.');
	const [sent, sentSecret] = [base64url(context.options.random(32)), base64url(context.options.random(32))];
	const overrides = new Map([
		[sent, id],
		[sentSecret, application.secret.digest]
	]);
	const fields = { ...form, [field]: sent, client_id, client_secret: sentSecret };
	const result = await handle(tokenRequest(context, fields), overrides);
	if (result.kind === 'no_response') return { status: null };
	return { status: result.status, request: headerValue(result.headers, 'x-request-id') };
}

function tokenRequest({ request, sandbox }: ControlContext, form: Readonly<Record<string, string>>): WireRequest {
	const fields = Object.entries(form).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	const type = ['Content-Type', 'application/x-www-form-urlencoded'];
	return {
		method: 'POST',
		target: `${sandbox.id === rootSandbox ? '' : `/~${sandbox.id}`}/ws/oauth2/token/`,
		headers: [...forwardedHeaders(request), 'User-Agent', 'Tollgate (replay)', ...type],
		body: encodeUtf8(fields.join('&')),
		bodyTooLarge: false,
		peer: request.peer
	};
}
