import { restrictCorsToClient } from '../checks/cors.ts';
import { check, when, whenStandard } from '../core/check.ts';
import { Context } from '../core/context.ts';
import type { FormFields } from '../core/form-fields.ts';
import type { Application } from '../sandbox/records.ts';
import { assertionChecks, hasAssertion } from './client-assertion.ts';
import { authenticateClient, readCredentials } from './client-authentication.ts';
import { clientDocumentChecks } from './client-document.ts';
import { readFormBody } from './form-body.ts';

/** The context of a request that a client sends as a form, with its credentials. */
export class ClientContext extends Context {
	/** The error of a request without any credentials. Introspection is for authenticated callers (RFC 7662, section 2.3). */
	readonly withoutClient?: 'invalid_request' | 'invalid_client';
	/** Set by `token.form_is_valid`. */
	form!: FormFields;
	/** Set by `token.client_authenticated` or `client_assertion.issued_by_client`. */
	application!: Application;
	/** Whether the application proved who it is. Set by `token.client_authenticated`. */
	isAuthenticated!: boolean;
}

const readForm = check<ClientContext>('token.form_is_valid', (context) => {
	context.form = readFormBody(context);
	context.note(`Fields: ${context.form.size}`);
});

const checkCredentials = check<ClientContext>('token.client_authenticated', async (context) => {
	const credentials = readCredentials(context, context.form, context.withoutClient);
	const { client_secret, unencodedSecret } = credentials;
	if (client_secret !== undefined) context.redact(client_secret, 'client_secret');
	if (unencodedSecret !== undefined) context.redact(unencodedSecret, 'client_secret');
	const { application, isAuthenticated } = await authenticateClient(context, credentials);
	context.application = application;
	context.isAuthenticated = isAuthenticated;
	restrictCorsToClient(context, application);
	context.note(`${application.client_id}, ${application.kind} application`);
});

const authentication = [
	...whenStandard<ClientContext>(hasAssertion, assertionChecks),
	...when<ClientContext>((context) => !hasAssertion(context), [checkCredentials])
];

/** What holds for every request of a client: a form, and valid credentials. */
export const clientChecks = [readForm, ...authentication] as const;

/** The same for the first request of a flow, with which a client can come that only its document describes. */
export const firstRequestChecks = [
	readForm,
	...clientDocumentChecks<ClientContext>(({ form }) => form.get('client_id')),
	...authentication
] as const;
