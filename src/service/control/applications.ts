import {
	applicationChange,
	newApplication,
	redirectUriTest,
	type ApplicationDetails,
	type Application as ApplicationView,
	type RedirectUriResult,
	type RegisteredApplication
} from '#wire/control/applications.ts';
import type { Context } from '../context.ts';
import { virtualAddress } from '../client-address.ts';
import { respondJson } from '../responses.ts';
import { compareRedirectUri } from '../redirect-uri-difference.ts';
import { validateRedirectUris } from '../redirect-uris.ts';
import { base64url } from '../encoding.ts';
import { sanitizeText } from '#wire/plain-text.ts';
import { ProtocolError } from '../errors.ts';
import { createSecret } from '../token/client-authentication.ts';
import { revokeGrant } from '../token/tokens.ts';
import type { Application, ApplicationKind } from '../records.ts';
import { countUsage } from './application-usage.ts';
import { protectedEndpoint, type ControlContext } from './control-endpoint.ts';

/** Registers an application (specification, section 5, rule 1). The secret is returned here and never again. */
export async function registerApplication(
	context: Context,
	wanted: { readonly name: string; readonly kind: ApplicationKind; readonly redirect_uris: readonly string[] }
): Promise<RegisteredApplication> {
	const name = validateName(wanted.name);
	const redirect_uris = validateRedirectUris(wanted.kind, wanted.redirect_uris);
	const { client_secret, secret } = createSecret(context.options);
	const client_id = base64url(context.options.random(12));
	const application = { client_id, name, kind: wanted.kind, redirect_uris, registered: context.sandbox.seconds() };
	await context.sandbox.store.update('application', client_id, () => ({ ...application, secret }));
	context.redact(client_secret);
	return { ...application, client_secret, warnings: warningsFor(application) };
}

/** All applications of a sandbox, without their secrets. */
export async function listApplications(context: Context): Promise<ApplicationView[]> {
	return (await context.sandbox.store.list('application')).map(([, application]) => viewOf(application));
}

/** `GET applications`: all applications, without their secrets. */
export const list = protectedEndpoint(async (context) => ({ applications: await listApplications(context) }));

/** `POST applications`: registers an application. Only this response contains the secret. */
export const register = protectedEndpoint(async (context) =>
	respondJson(context, 201, await registerApplication(context, context.read(newApplication)))
);

/** `GET applications/<client_id>`: one application, and what is deleted with it. */
export const read = protectedEndpoint(async (context): Promise<ApplicationDetails> => {
	const application = await find(context);
	const usage = await countUsage(context, application.client_id);
	return { ...viewOf(application), warnings: warningsFor(application), ...usage };
});

/** `PATCH applications/<client_id>`: changes the name, the redirect URIs or the virtual address. */
export const change = protectedEndpoint(async (context): Promise<ApplicationView> => {
	const { name, redirect_uris, address } = context.read(applicationChange);
	const application = await update(context, (now) => {
		const { address: before, ...rest } = now;
		const next = address === undefined ? before : address === null ? undefined : validateAddress(address);
		return {
			...rest,
			...(name !== undefined && { name: validateName(name) }),
			...(redirect_uris !== undefined && { redirect_uris: validateRedirectUris(now.kind, redirect_uris) }),
			...(next !== undefined && { address: next })
		};
	});
	if (application.address !== undefined && !context.sandbox.state.hasApplicationAddresses) {
		await context.sandbox.updateState((state) => ({ ...state, hasApplicationAddresses: true }));
	}
	return viewOf(application);
});

/** `POST applications/<client_id>/secret`: replaces the secret. Only this response contains the new one. */
export const rotateSecret = protectedEndpoint(async (context): Promise<RegisteredApplication> => {
	const { client_secret, secret } = createSecret(context.options);
	const application = await update(context, (now) => ({ ...now, secret }));
	context.redact(client_secret);
	return { ...viewOf(application), client_secret, warnings: warningsFor(application) };
});

/** `POST applications/<client_id>/redirect-uri-test`: whether a URI matches a registered one, and where it differs. */
export const testRedirectUri = protectedEndpoint(async (context): Promise<RedirectUriResult> => {
	const { uri } = context.read(redirectUriTest);
	return compareRedirectUri(await find(context), uri);
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
function warningsFor({ redirect_uris }: Pick<Application, 'redirect_uris'>): string[] {
	return redirect_uris
		.filter((uri) => /^http:/i.test(uri) && !/^http:\/\/localhost(?=[:/]|$)/i.test(uri))
		.map((uri) => `${uri} uses HTTP, so the code can be intercepted. Use HTTPS (RFC 9700, section 2.6).`);
}

function validateName(wanted: string): string {
	const name = sanitizeText(wanted.trim(), 80);
	if (name !== '') return name;
	const description = 'The application needs a name. Users see it on the consent page.';
	throw new ProtocolError('invalid_request', description, { field: 'name' });
}

function validateAddress(address: string): string {
	if (virtualAddress(address) !== undefined) return address.toLowerCase();
	throw new ProtocolError('invalid_request', 'Use an address in 192.0.2.0/24 or 2001:db8::/32.', { field: 'address' });
}

async function find(context: ControlContext): Promise<Application> {
	const application = await context.sandbox.store.get('application', context.segments[1] ?? '');
	if (application === undefined) throw unknown();
	return application;
}

async function update(context: ControlContext, how: (now: Application) => Application): Promise<Application> {
	const client_id = context.segments[1] ?? '';
	const application = await context.sandbox.store.update('application', client_id, (now) => now && how(now));
	if (application === undefined) throw unknown();
	return application;
}

function viewOf({ secret: _, ...application }: Application): ApplicationView {
	return { ...application, redirect_uris: [...application.redirect_uris] };
}

function unknown(): ProtocolError {
	return new ProtocolError('not_found', 'No application has this client_id.');
}
