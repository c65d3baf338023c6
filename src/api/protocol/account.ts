import * as v from 'valibot';
import { declare } from '../declare.ts';
import { formDescription } from './authorization.ts';

/** What a user granted an application. */
const grantView = v.object({
	client_id: v.string(),
	name: v.string(),
	scopes: v.array(v.string()),
	offline: v.boolean(),
	/** Unix seconds, sandbox clock. */
	since: v.number()
});

/** `GET /account` as data. */
export const account = v.variant('signed_in', [
	v.object({ signed_in: v.literal(false), form: formDescription }),
	v.object({ signed_in: v.literal(true), username: v.string(), grants: v.array(grantView), form: formDescription })
]);

/** `POST /account`. */
export const accountForm = v.object({
	/** A browser that is signed out gets the sign-in form without it. */
	action: v.optional(v.picklist(['sign-in', 'sign-out', 'revoke'])),
	csrf_token: v.optional(v.string()),
	username: v.optional(v.string()),
	password: v.optional(v.string()),
	client_id: v.optional(v.string())
});

export const accountEndpoints = declare({
	'GET /account': {
		id: 'account',
		tag: 'Authorization',
		isPage: true,
		summary: 'Open the account settings',
		description: 'The applications that the signed-in user gave access.',
		access: 'session',
		responses: { 200: { description: 'The account settings, or the sign-in form.', json: account, page: true } }
	},
	'POST /account': {
		id: 'changeAccount',
		tag: 'Authorization',
		isPage: true,
		summary: 'Change the account',
		description: 'Signs the user in or out, or revokes the access of an application.',
		access: 'session',
		destroys: true,
		body: {
			form: true,
			schema: accountForm,
			example: { action: 'sign-in', username: 'player-one', password: 'demo' }
		},
		responses: {
			200: { description: 'The sign-in form, if the session has ended.', json: account, page: true },
			303: { description: 'Done. The next page.', headers: ['Location'] }
		},
		errors: {
			400: 'The form has no valid action.',
			403: 'The password is wrong, or the form belongs to another session.',
			404: 'The application has no access.',
			413: 'The form is too long.',
			429: 'Too many attempts.'
		}
	}
});
