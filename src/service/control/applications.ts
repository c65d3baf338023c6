import type { Call } from '../context.ts';
import { answerJson } from '../responses.ts';
import { checkedRedirectUris } from '../redirect-uris.ts';
import { base64url, shownText } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { createSecret } from '../token/client-authentication.ts';
import { endGrant } from '../token/tokens.ts';
import type { Application, ApplicationKind } from '../records.ts';
import { control } from './control-endpoint.ts';
import { newApplication, newRedirectUris } from './schemas.ts';

/** What a developer sees of an application: everything but the secret. */
export type ApplicationView = Omit<Application, 'secret'>;

/** Registers an application (specification, section 5, rule 1). The secret is returned here and never again. */
export async function registerApplication(
	call: Call,
	wanted: { readonly name: string; readonly kind: ApplicationKind; readonly redirect_uris: readonly string[] }
): Promise<ApplicationView & { readonly client_secret: string }> {
	const name = shownText(wanted.name.trim(), 80);
	if (name === '')
		throw new ProtocolError(
			'invalid_request',
			'Give the application a name; people see it when they are asked for access.'
		);
	const redirect_uris = checkedRedirectUris(wanted.kind, wanted.redirect_uris);
	const { client_secret, secret } = createSecret(call.options);
	const client_id = base64url(call.options.random(12));
	const application = { client_id, name, kind: wanted.kind, redirect_uris, registered: call.sandbox.seconds() };
	await call.sandbox.area.update('application', client_id, () => ({ ...application, secret }));
	call.secret(client_secret);
	return { ...application, client_secret };
}

/** All applications of a sandbox, without their secrets. */
export async function listApplications(call: Call): Promise<ApplicationView[]> {
	return (await call.sandbox.area.list('application')).map(([, application]) => viewOf(application));
}

/** `GET applications`: all applications, without their secrets. */
export const list = control(async (call) => ({ applications: await listApplications(call) }));

/** `POST applications`: registers one. The answer is the only one that ever shows the secret. */
export const register = control(async (call) => {
	const application = await registerApplication(call, call.read(newApplication));
	return answerJson(call, 201, { ...application, warnings: warningsFor(application.redirect_uris) });
});

/** `PATCH applications/<client_id>`: puts other redirect URIs in place of those that it has. */
export const changeRedirects = control(async (call) => {
	const { redirect_uris } = call.read(newRedirectUris);
	const application = await change(call, (now) => ({
		...now,
		redirect_uris: checkedRedirectUris(now.kind, redirect_uris)
	}));
	return viewOf(application);
});

/** `POST applications/<client_id>/secret`: gives it a new secret, shown once; the old one is worth nothing from then on. */
export const rotateSecret = control(async (call) => {
	const { client_secret, secret } = createSecret(call.options);
	const application = await change(call, (now) => ({ ...now, secret }));
	call.secret(client_secret);
	return { ...viewOf(application), client_secret };
});

/** `DELETE applications/<client_id>`: deletes it, and ends all access that people gave it. */
export const remove = control(async (call) => {
	const client_id = call.segments[1] ?? '';
	if ((await call.sandbox.area.delete('application', client_id)) === undefined) throw unknown();
	for (const [, grant] of await call.sandbox.area.list('grant')) {
		if (grant.client_id === client_id) await endGrant(call, grant.username, client_id, grant.id);
	}
	return { deleted: client_id };
});

/** What a developer should know of redirect URIs that are allowed and unwise. */
export function warningsFor(redirect_uris: readonly string[]): string[] {
	return redirect_uris
		.filter((uri) => /^http:/i.test(uri) && !/^http:\/\/localhost(?=[:/]|$)/i.test(uri))
		.map((uri) => `${uri} is plain HTTP: anybody on the way can read the code (RFC 9700, section 2.6).`);
}

async function change(
	call: Call & { segments: string[] },
	how: (now: Application) => Application
): Promise<Application> {
	const application = await call.sandbox.area.update('application', call.segments[1] ?? '', (now) => now && how(now));
	if (application === undefined) throw unknown();
	return application;
}

function viewOf({ client_id, name, kind, redirect_uris, registered }: Application): ApplicationView {
	return { client_id, name, kind, redirect_uris, registered };
}

function unknown(): ProtocolError {
	return new ProtocolError('not_found', 'No application has this client_id.');
}
