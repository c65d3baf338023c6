import { Context } from '../core/context.ts';
import type { FormFields } from '../core/form-fields.ts';
import type { Application, AuthorizationRequest, UserGrant } from '../sandbox/records.ts';
import type { Browser } from '../access/cookies.ts';

/** The context of an authorization request, or of a form on its pages. */
export class AuthorizationContext extends Context {
	/** Set by the check that reads the query or the form. */
	fields!: FormFields;
	/** Set by the check that identifies the client. */
	application!: Application;
	/** Set by the check that reads the request, or loaded from the store. */
	authorizationRequest!: AuthorizationRequest;
	/** Set by the check that reads the session cookie. */
	browser!: Browser;
	/** Who has just sent a correct password. */
	verifiedUsername: string | undefined;
	/** The id of the pending authorization, once there is one. */
	pendingId: string | undefined;
	/** What the user has granted the application so far. */
	grant: UserGrant | undefined;
	/** Whether the client pushed the request. Set by `auth.request_uri_valid`. */
	isPushed = false;
	/** True once errors may be sent to the redirect URI. */
	canRedirect = false;
}
