import * as v from 'valibot';
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
