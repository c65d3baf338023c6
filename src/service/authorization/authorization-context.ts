import { Context } from '../context.ts';
import type { FormFields } from '../form-fields.ts';
import type { Application, AuthorizationRequest, Grant } from '../records.ts';
import type { Browser } from './session-cookie.ts';

/** An authorization request, or an answer to its pages, while it is being answered. */
export class AuthorizationContext extends Context {
	/** Set by the step that reads the query or form. */
	fields!: FormFields;
	/** Set by the step that identifies the application. */
	application!: Application;
	/** What is asked for: set by the step that checks it, or read from the store. */
	authorizationRequest!: AuthorizationRequest;
	/** Set by the step that looks at the browser's cookie. */
	browser!: Browser;
	/** The unguessable id of the pending request, once there is one. */
	pendingId: string | undefined;
	/** What the person has granted the application so far. */
	grant: Grant | undefined;
	/** True once errors may be sent to the redirect URI. */
	redirectable = false;
}
