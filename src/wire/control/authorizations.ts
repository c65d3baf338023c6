import * as v from 'valibot';
import { text, username } from './fields.ts';

/** `POST authorizations`: an authorization request of a user with a browser of their own. */
export const newAuthorization = v.strictObject({
	username,
	/** The query of the authorization request, without the `?`. Like that of any request, it is visible ASCII. */
	query: v.pipe(
		text(8192),
		v.regex(/^[\x21-\x7e]*$/, 'Percent-encode spaces, line breaks and all other characters outside ASCII.')
	),
	/** What the user decides on the consent page: `approve` where absent. */
	decision: v.exactOptional(v.picklist(['approve', 'deny']))
});

/** Where the browser of the user arrived. */
export const authorizationResult = v.object({
	/** Status of the last response. Null: no response. */
	status: v.nullable(v.number()),
	/** Where the last response redirects to: the application, with the code or the error. */
	location: v.optional(v.string()),
	/** The title of the page, where the last response is one. The page of an out-of-band request has the code in it. */
	title: v.optional(v.string())
});

/** The query of `GET authorization-response`: a link that carries a code to a client. */
export const authorizationResponseLink = v.object({
	client_id: v.string(),
	/** A registered one, with http or https. */
	redirect_uri: v.string(),
	code: v.string(),
	state: v.exactOptional(v.string())
});

export type AuthorizationResponseLink = v.InferInput<typeof authorizationResponseLink>;
export type NewAuthorization = v.InferInput<typeof newAuthorization>;
export type AuthorizationResult = v.InferOutput<typeof authorizationResult>;
