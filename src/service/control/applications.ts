import type { Context } from '../context.ts';
import { respondJson } from '../responses.ts';
import { validateRedirectUris } from '../redirect-uris.ts';
import { base64url, sanitizeText } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { createSecret } from '../token/client-authentication.ts';
import { revokeGrant } from '../token/tokens.ts';
import type { Application, ApplicationKind, ApplicationView } from '../records.ts';
import { protectedEndpoint } from './control-endpoint.ts';
import { newApplication, newRedirectUris } from './schemas.ts';

/** Registers an application (specification, section 5, rule 1). The secret is returned here and never again. */
export async function registerApplication(
	context: Context,
	wanted: { readonly name: string; readonly kind: ApplicationKind; readonly redirect_uris: readonly string[] }
): Promise<ApplicationView & { readonly client_secret: string }> {
	const name = sanitizeText(wanted.name.trim(), 80);
	if (name === '')
		throw new ProtocolError('invalid_request', 'The application needs a name. Users see it on the consent page.');
	const redirect_uris = validateRedirectUris(wanted.kind, wanted.redirect_uris);
	const { client_secret, secret } = createSecret(context.options);
	const client_id = base64url(context.options.random(12));
	const application = { client_id, name, kind: wanted.kind, redirect_uris, registered: context.sandbox.seconds() };
	await context.sandbox.store.update('application', client_id, () => ({ ...application, secret }));
	context.redact(client_secret);
	return { ...application, client_secret };
}

/** All applications of a sandbox, without their secrets. */
export async function listApplications(context: Context): Promise<ApplicationView[]> {
	return (await context.sandbox.store.list('application')).map(([, application]) => viewOf(application));
}

/** `GET applications`: all applications, without their secrets. */
export const list = protectedEndpoint(async (context) => ({ applications: await listApplications(context) }));

/** `POST applications`: registers an application. Only this response contains the secret. */
export const register = protectedEndpoint(async (context) => {
	const application = await registerApplication(context, context.read(newApplication));
	return respondJson(context, 201, { ...application, warnings: warningsFor(application.redirect_uris) });
});

/** `PATCH applications/<client_id>`: puts other redirect URIs in place of those that it has. */
export const changeRedirects = protectedEndpoint(async (context) => {
	const { redirect_uris } = context.read(newRedirectUris);
	const application = await change(context, (now) => ({
		...now,
		redirect_uris: validateRedirectUris(now.kind, redirect_uris)
	}));
	return viewOf(application);
});

/** `POST applications/<client_id>/secret`: gives it a new secret, shown once; the old one is worth nothing from then on. */
export const rotateSecret = protectedEndpoint(async (context) => {
	const { client_secret, secret } = createSecret(context.options);
	const application = await change(context, (now) => ({ ...now, secret }));
	context.redact(client_secret);
	return { ...viewOf(application), client_secret };
});

/** `DELETE applications/<client_id>`: deletes it, and revokes all access that users granted it. */
export const remove = protectedEndpoint(async (context) => {
	const client_id = context.segments[1] ?? '';
	if ((await context.sandbox.store.delete('application', client_id)) === undefined) throw unknown();
	for (const [, grant] of await context.sandbox.store.list('grant')) {
		if (grant.client_id === client_id) await revokeGrant(context, grant.username, client_id, grant.id);
	}
	return { deleted: client_id };
});

/** Warnings about redirect URIs that are allowed but insecure. */
export function warningsFor(redirect_uris: readonly string[]): string[] {
	return redirect_uris
		.filter((uri) => /^http:/i.test(uri) && !/^http:\/\/localhost(?=[:/]|$)/i.test(uri))
		.map((uri) => `${uri} uses HTTP, so the code can be intercepted. Use HTTPS (RFC 9700, section 2.6).`);
}

async function change(
	context: Context & { segments: string[] },
	how: (now: Application) => Application
): Promise<Application> {
	const application = await context.sandbox.store.update(
		'application',
		context.segments[1] ?? '',
		(now) => now && how(now)
	);
	if (application === undefined) throw unknown();
	return application;
}

function viewOf({ client_id, name, kind, redirect_uris, registered }: Application): ApplicationView {
	return { client_id, name, kind, redirect_uris, registered };
}

function unknown(): ProtocolError {
	return new ProtocolError('not_found', 'No application has this client_id.');
}
