import * as v from 'valibot';
import { declare } from '../declare.ts';
import { formDescription } from '../protocol/authorization.ts';
import { text, username } from './fields.ts';

/** `POST authorizations`: an authorization request of a user with a browser of their own. */
export const newAuthorization = v.strictObject({
	username,
	/** The query of the authorization request, without the `?`. Like that of any request, it is visible ASCII. */
	query: v.pipe(
		text(8192),
		v.regex(/^[\x21-\x7e]*$/, 'Percent-encode spaces, line breaks and all other characters outside ASCII.')
	),
	/** What the user decides on the consent page. Default: `approve`. */
	decision: v.exactOptional(v.picklist(['approve', 'deny'])),
	/** The simulated provider that the request is sent to. Default: the endpoint of the sandbox itself. */
	provider: v.exactOptional(text(40))
});

/** Where the browser of the user arrived. */
export const authorizationResult = v.object({
	/** Status of the last response. Null: no response. */
	status: v.nullable(v.number()),
	/** Where the last response redirects to: the application, with the code or the error. */
	location: v.optional(v.string()),
	/** What the browser posts to the application, where the request has `response_mode=form_post`. */
	form: v.optional(formDescription),
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

export const authorizationsApi = declare({
	'POST /control/authorizations': {
		id: 'authorizeAsUser',
		tag: 'Credentials',
		summary: 'Authorize as a user',
		description:
			'Sends an authorization request as the browser of a user, and decides on the consent page: `{"username","query","decision"}`. `decision` is `approve` (default) or `deny`. Returns the last `status` and the `location` that the browser is redirected to, with the code or the error, the `form` that it posts (`response_mode=form_post`), or the `title` of the page. The traffic log has both requests.',
		body: {
			schema: newAuthorization,
			example: {
				username: 'player-three',
				query:
					'response_type=code&client_id=character-viewer&redirect_uri=https%3A%2F%2Flocalhost%3A8443%2Fviewer%2Fcallback&scope=character_read&state=s'
			}
		},
		responses: {
			200: { description: 'Where the browser arrived.', json: authorizationResult }
		}
	},
	'GET /control/authorization-response': {
		id: 'openAuthorizationResponse',
		tag: 'Credentials',
		access: 'everybody',
		isLogged: true,
		summary: 'Open an uninvited response',
		description:
			'Redirects a browser to a client with the code of another user, as the link of an attacker does: `?client_id=…&redirect_uri=…&code=…`, and `state` if you like. The redirect URI must be registered. A client that compares `state` rejects the response. The traffic log has the request.',
		query: authorizationResponseLink,
		responses: { 303: { description: 'The client, with the code.', headers: ['Location'] } },
		errors: { 400: 'A parameter is missing, or the application did not register the `redirect_uri`.' }
	}
});

export type NewAuthorization = v.InferInput<typeof newAuthorization>;
export type AuthorizationResult = v.InferOutput<typeof authorizationResult>;
