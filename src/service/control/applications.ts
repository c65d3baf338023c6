import {
	type ApplicationChange,
	applicationsApi,
	type ApplicationView,
	type NewApplication,
	type RegisteredApplication
} from '#api/control/applications.ts';
import type { Sendable } from '#api/declare.ts';
import type { Dialect } from '#api/dialect.ts';
import type { Context } from '../core/context.ts';
import { readVirtualAddress } from '../address/network-address.ts';
import { compareRedirectUri } from '../sandbox/redirect-uris.ts';
import { validateUris } from '../sandbox/validate-uris.ts';
import { base64url } from '../core/encoding.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { ProtocolError } from '../core/errors.ts';
import { createSecret } from '../token/client-authentication.ts';
import { revokeGrant } from '../token/tokens.ts';
import type { Application } from '../sandbox/records.ts';
import { implement } from './control-endpoint.ts';

/** Registers an application (specification, section 5, rule 1). The secret is returned here and never again. */
export async function registerApplication(
	context: Context,
	wanted: Sendable<NewApplication>
): Promise<RegisteredApplication> {
	const name = validateName(wanted.name);
	const { redirect_uris = [], post_logout_redirect_uris, jwks, dpop_bound_access_tokens, token_exchange } = wanted;
	const uris = validateUris(wanted.kind, { redirect_uris, post_logout_redirect_uris }, context.dialect.loopback);
	const { client_secret, secret } = createSecret(context.options);
	const client_id = base64url(context.options.random(12));
	const application = {
		client_id,
		name,
		kind: wanted.kind,
		...uris,
		...(jwks !== undefined && { jwks: { keys: [...jwks.keys] } }),
		...(dpop_bound_access_tokens !== undefined && { dpop_bound_access_tokens }),
		...(token_exchange !== undefined && { token_exchange }),
		registered: context.sandbox.seconds(),
		secret
	};
	await context.store.update('application', client_id, () => application);
	context.redact(client_secret);
	return { ...viewOf(application), client_secret, warnings: warningsFor(application) };
}

/** All applications of a sandbox, without their secrets. */
export async function listApplications(context: Context): Promise<ApplicationView[]> {
	return (await context.store.list('application')).map(([, application]) => viewOf(application));
}

/** Registration, and the pages of the developer console. */
export const applicationsEndpoints = implement(applicationsApi, {
	'GET /control/applications': async (context) => ({ applications: await listApplications(context) }),
	'POST /control/applications': (context, { body }) => registerApplication(context, body),
	'GET /control/applications/{client_id}': async (context, { path: { client_id } }) => {
		const application = await find(context, client_id);
		const usage = await countUsage(context, client_id);
		return { ...viewOf(application), warnings: warningsFor(application), ...usage };
	},
	'PATCH /control/applications/{client_id}': async (context, { body, path: { client_id } }) => {
		const application = await update(context, client_id, (now) => changed(now, body, context.dialect));
		if (application.address !== undefined && !context.sandbox.state.hasApplicationAddresses) {
			await context.sandbox.updateState((state) => ({ ...state, hasApplicationAddresses: true }));
		}
		return viewOf(application);
	},
	// Only this response contains the new secret.
	'POST /control/applications/{client_id}/secret': async (context, { path: { client_id } }) => {
		const { client_secret, secret } = createSecret(context.options);
		const application = await update(context, client_id, (now) => ({ ...now, secret }));
		context.redact(client_secret);
		return { ...viewOf(application), client_secret, warnings: warningsFor(application) };
	},
	'POST /control/applications/{client_id}/redirect-uri-test': async (context, { body, path: { client_id } }) =>
		compareRedirectUri(await find(context, client_id), body.uri, context.dialect.loopback),
	// Revokes all access that users granted it, too.
	'DELETE /control/applications/{client_id}': async (context, { path: { client_id } }) => {
		if ((await context.store.delete('application', client_id)) === undefined) throw unknown();
		for (const [, grant] of await context.store.list('grant')) {
			if (grant.client_id === client_id) await revokeGrant(context, grant.username, client_id, grant.id);
		}
		return { deleted: client_id };
	}
});

function changed(
	now: Application,
	{ name, address, jwks, dpop_bound_access_tokens, token_exchange, ...sent }: ApplicationChange,
	{ loopback }: Dialect
): Application {
	const { address: before, jwks: keysBefore, redirect_uris, post_logout_redirect_uris, ...rest } = now;
	const keys = jwks === undefined ? keysBefore : jwks;
	const areUrisSent = sent.redirect_uris !== undefined || sent.post_logout_redirect_uris !== undefined;
	const next = address === undefined ? before : address === null ? undefined : validateAddress(address);
	return {
		...rest,
		...(name !== undefined && { name: validateName(name) }),
		...(keys && { jwks: keys }),
		...(dpop_bound_access_tokens !== undefined && { dpop_bound_access_tokens }),
		...(token_exchange !== undefined && { token_exchange }),
		...(areUrisSent
			? validateUris(now.kind, { redirect_uris, post_logout_redirect_uris, ...sent }, loopback)
			: { redirect_uris, ...(post_logout_redirect_uris && { post_logout_redirect_uris }) }),
		...(next !== undefined && { address: next })
	};
}

/** Warnings about redirect URIs that are allowed but insecure. */
function warningsFor({ redirect_uris }: Pick<Application, 'redirect_uris'>): string[] {
	return redirect_uris
		.filter((uri) => /^http:/i.test(uri) && !/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i.test(uri))
		.map((uri) => `${uri} uses HTTP, so the code can be intercepted. Use HTTPS (RFC 9700, section 2.6).`)
		.concat(
			redirect_uris
				.filter((uri) => /^[a-z0-9+-]+:/i.test(uri) && !/^(?:https?|urn):/i.test(uri))
				.map(
					(uri) =>
						`The scheme of ${uri} has no period, so another application can use it, too. Use a domain name of yours in reverse (RFC 8252, section 7.1).`
				)
		);
}

function validateName(wanted: string): string {
	const name = sanitizeText(wanted.trim(), 80);
	if (name !== '') return name;
	const description = 'The application needs a name. Users see it on the consent page.';
	throw new ProtocolError('invalid_request', description, { field: 'name' });
}

function validateAddress(address: string): string {
	if (readVirtualAddress(address) !== undefined) return address.toLowerCase();
	throw new ProtocolError('invalid_request', 'Use an address in 192.0.2.0/24 or 2001:db8::/32.', { field: 'address' });
}

async function find(context: Context, client_id: string): Promise<Application> {
	const application = await context.store.get('application', client_id);
	if (application === undefined) throw unknown();
	return { ...application, redirect_uris: [...application.redirect_uris] };
}

async function update(
	context: Context,
	client_id: string,
	change: (now: Application) => Application
): Promise<Application> {
	const application = await context.store.update('application', client_id, (now) => now && change(now));
	if (application === undefined) throw unknown();
	return { ...application, redirect_uris: [...application.redirect_uris] };
}

function viewOf({ secret: _, createdBy: _owner, expires: _end, ...application }: Application): ApplicationView {
	return { ...application, redirect_uris: [...application.redirect_uris] };
}

function unknown(): ProtocolError {
	return new ProtocolError('not_found', 'No application has this client_id.');
}

/** What is deleted with an application: the access that users granted it, and its live credentials. */
type ApplicationUsage = {
	readonly grants: number;
	readonly codes: number;
	readonly access_tokens: number;
	readonly refresh_tokens: number;
};

/** Counts what is deleted with an application. */
async function countUsage(context: Context, client_id: string): Promise<ApplicationUsage> {
	const { store } = context;
	const own = (record: { readonly client_id: string }) => record.client_id === client_id;
	const recordsOf = async <K extends 'grant' | 'code' | 'access_token' | 'refresh_token'>(kind: K) =>
		(await store.list(kind)).map(([, record]) => record).filter(own);
	const grants = new Set((await recordsOf('grant')).map(({ id }) => id));
	const families = new Set((await store.list('token_family')).map(([id]) => id));
	const isActive = ({ grant, family }: { readonly grant: string; readonly family: string }) =>
		grants.has(grant) && families.has(family);
	const codes = (await recordsOf('code')).filter(
		({ grant, consumedBy, validUntil }) => grants.has(grant) && consumedBy === undefined && context.now() < validUntil
	);
	return {
		grants: grants.size,
		codes: codes.length,
		access_tokens: (await recordsOf('access_token')).filter(isActive).length,
		refresh_tokens: (await recordsOf('refresh_token')).filter(isActive).length
	};
}
