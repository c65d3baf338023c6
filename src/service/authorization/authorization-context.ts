import { Call } from '../context.ts';
import type { Fields } from '../form-fields.ts';
import type { Application, Grant, PendingRequest } from '../records.ts';
import type { Browser } from './session-cookie.ts';

/** An authorization request, or an answer to its pages, while it is being answered. */
export class AuthCall extends Call {
	/** Set by the step that reads the query or form. */
	fields!: Fields;
	/** Set by the step that identifies the application. */
	application!: Application;
	/** What is asked for: set by the step that checks it, or read from the store. */
	asked!: Omit<PendingRequest, 'browser' | 'asked' | 'expires'>;
	/** Set by the step that looks at the browser's cookie. */
	browser!: Browser;
	/** The unguessable id of the pending request, once there is one. */
	pendingId: string | undefined;
	/** What the person has granted the application so far. */
	grant: Grant | undefined;
	/** True once errors may be sent to the redirect URI. */
	redirectable = false;
}
