import * as v from 'valibot';
import { grantOf, grantTypesOf, mayUse } from '#api/protocol/grant-types.ts';
import { clientMetadata, type RegisteredClient } from '#api/protocol/standard.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { allowAllOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { check, endpoint } from '../core/runner.ts';
import { Context } from '../core/context.ts';
import { base64url } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { requireMethod, respondError, respondJson } from '../core/responses.ts';
import type { Application } from '../sandbox/records.ts';
import { hasAgentFault } from '../sandbox/agent-faults.ts';
import { isLoopbackUri } from '../sandbox/redirect-uris.ts';
import { validateUris } from '../sandbox/validate-uris.ts';
import { createSecret } from '../token/client-authentication.ts';
import { idPrefix, makePlace, unusedLifetime } from '../token/client-document.ts';

class RegisterContext extends Context {
	/** Set by `register.metadata_valid`. */
	wanted!: v.InferOutput<typeof clientMetadata>;
	/** Set by `register.metadata_valid`. */
	kind!: Application['kind'];
	/** Set by `register.redirect_uris_valid`. */
	uris!: ReturnType<typeof validateUris>;
}

const checkMethod = check<RegisterContext>('register.method_is_post', (context) => requireMethod(context, 'POST'));

const checkSetting = check<RegisterContext>('register.enabled', (context) => {
	if (hasAgentFault(context, 'registration_rejected'))
		throw new ProtocolError('forbidden', 'A fault of this sandbox rejects all registrations.', {
			cause: 'registration_rejected'
		});
	if (context.sandbox.state.settings.dynamic_registration) return;
	throw new ProtocolError(
		'forbidden',
		'Dynamic registration is off in this sandbox. Its owner can turn it on, or register the client in the console.',
		{ cause: 'registration_off' }
	);
});

const readMetadata = check<RegisterContext>('register.metadata_valid', (context) => {
	const result = v.safeParse(clientMetadata, readJson(context), { abortEarly: true });
	if (!result.success) {
		const [issue] = result.issues;
		const field = v.getDotPath(issue)?.slice(0, 60) ?? 'body';
		// The field and the value are those of the client.
		throw invalidMetadata(asDescription(`${field}: ${issue.message.slice(0, 200)}`));
	}
	const { grant_types, response_types, token_endpoint_auth_method } = result.output;
	const supported: readonly string[] = grantTypesOf(context.dialect.name);
	if (grant_types.some((type) => !supported.includes(type)) || response_types.some((type) => type !== 'code'))
		throw invalidMetadata(`This service supports response_types code, and grant_types ${supported.join(' and ')}.`);
	context.wanted = result.output;
	context.kind = token_endpoint_auth_method === 'none' ? 'installed' : 'web';
	const forbidden = grant_types.find((type) => !mayUse(context.kind, type));
	if (forbidden !== undefined) throw invalidMetadata(`${forbidden} is for clients with a secret only.`);
	context.note(`${context.kind} application`);
});

const checkRedirectUris = check<RegisterContext>('register.redirect_uris_valid', (context) => {
	const { redirect_uris, post_logout_redirect_uris, grant_types } = context.wanted;
	// A refresh token comes with another grant.
	const begun = grant_types.filter((type) => type !== 'refresh_token');
	const usesRedirect = begun.length === 0 || begun.some((type) => grantOf(type)?.hasNoRedirect !== true);
	if (!usesRedirect && redirect_uris.length === 0) {
		context.uris = { redirect_uris: [] };
		return context.note('None: no grant of the client uses one');
	}
	try {
		if (redirect_uris.length === 0) throw new ProtocolError('invalid_redirect_uri', 'At least one URI is required.');
		const insecure = [...redirect_uris, ...post_logout_redirect_uris].find(
			(uri) => /^http:/i.test(uri) && !isLoopbackUri(uri)
		);
		if (insecure !== undefined)
			throw new ProtocolError('invalid_redirect_uri', 'HTTP is allowed for loopback addresses only. Use HTTPS.');
		context.uris = validateUris(context.kind, { redirect_uris, post_logout_redirect_uris }, 'any');
	} catch (fault) {
		if (!(fault instanceof ProtocolError)) throw fault;
		throw new ProtocolError('invalid_redirect_uri', fault.message, {
			received: [[...redirect_uris, ...post_logout_redirect_uris].join(' ').slice(0, 500)]
		});
	}
});

const checkPlace = check<RegisterContext>('register.within_limits', async (context) => {
	context.note(await makePlace(context));
});

const register = check<RegisterContext>('register.client_registered', async (context) => {
	const { options, sandbox, kind, uris, wanted } = context;
	const client_id = `${idPrefix}${base64url(options.random(12))}`;
	const { client_secret, secret } = createSecret(options);
	context.redact(client_secret, 'client_secret');
	const registered = sandbox.seconds();
	const bound = wanted.dpop_bound_access_tokens ? { dpop_bound_access_tokens: true } : {};
	const { token_endpoint_auth_method = 'client_secret_basic' } = wanted;
	const grant_types = registeredGrants(wanted.grant_types);
	const name = sanitizeText((wanted.client_name ?? '').trim(), 80) || 'Unnamed client';
	await sandbox.store.update('application', client_id, () => ({
		client_id,
		name,
		kind,
		...uris,
		...bound,
		...(grant_types && { grant_types }),
		token_endpoint_auth_method,
		registered,
		secret,
		expires: context.now() + unusedLifetime,
		createdBy: context.networkAddress
	}));
	context.client_id = client_id;
	context.note(name);
	const client: RegisteredClient = {
		client_id,
		...(kind === 'web' && { client_secret, client_secret_expires_at: 0 }),
		client_id_issued_at: registered,
		client_name: name,
		...uris,
		...bound,
		token_endpoint_auth_method,
		grant_types: grant_types ?? grantTypesOf(context.dialect.name).filter((type) => mayUse(kind, type)),
		response_types: grant_types?.includes('authorization_code') === false ? [] : ['code']
	};
	return respondJson(context, 201, client);
});

/** Dynamic client registration, `POST /ws/oauth2/register` (RFC 7591). */
export const registration = endpoint(
	RegisterContext,
	[
		rejectBlacklisted,
		requireMetadata,
		allowAllOrigins('POST'),
		checkMethod,
		checkSetting,
		readMetadata,
		checkRedirectUris,
		checkPlace,
		register
	],
	respondError
);

/**
 * The grants of a client that names some; undefined for one that names none, which may use all. A refresh token alone leads nowhere
 * without the flow that it comes from (RFC 7591, section 2.1).
 */
function registeredGrants(wanted: readonly string[]): string[] | undefined {
	if (wanted.length === 0) return undefined;
	const begins = wanted.some((type) => type !== 'refresh_token');
	return [...new Set(begins ? wanted : ['authorization_code', ...wanted])];
}

function readJson(context: Context): unknown {
	const type = (context.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
	if (type !== 'application/json') throw invalidMetadata('Send JSON in UTF-8: Content-Type: application/json');
	try {
		const value: unknown = JSON.parse(context.bodyText ?? '');
		if (!Array.isArray(value)) return value;
	} catch {
		throw invalidMetadata('The body is not JSON in UTF-8.');
	}
	throw invalidMetadata('The body is a list. Send a JSON object.');
}

/** Text with the characters of an `error_description` (RFC 6749, section 5.2). */
function asDescription(text: string): string {
	return text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}

function invalidMetadata(description: string): ProtocolError {
	return new ProtocolError('invalid_client_metadata', description);
}
