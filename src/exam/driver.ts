/** What a probe wants of a sign-in. */
export type SignInOptions = {
	/** The user who signs in. The password is `demo`. */
	readonly username: string;
	/** Whether the client should ask for offline access. Clients that always or never do ignore it. Default: true. */
	readonly offline?: boolean;
	/** `error`: the service responds such that no sign-in can follow. */
	readonly expect?: 'success' | 'error';
	/** True: the browser has lost all cookies. A user may ignore it. */
	readonly isFresh?: boolean;
	/** True: the browser is no longer signed in at the service, and keeps all else. */
	readonly leavesService?: boolean;
	/** The client wants its authorization responses as forms (`response_mode=form_post`). */
	readonly posts?: boolean;
	/** True: the URL that is opened is the response to the user's own sign-in. Otherwise it is that of an attacker. */
	readonly isOwn?: boolean;
};

/** A driver throws it to go on with the next probe: the user does not want to do this one. */
export class ProbeSkipped extends Error {
	override name = 'ProbeSkipped';
}

/** Operates the client under test, as its user does. Browsers are `a` and `b`, each with separate cookies. */
export interface Driver {
	/** Signs in from the start page of the client to its last page. A page with an error is no failure of this function. */
	signIn(browser: string, options: SignInOptions): Promise<void>;
	/** Makes the client call a resource as the user who signed in. Absent: the exam does not know how. @param name of the character to read, for clients that take one */
	use?(browser: string, name: string): Promise<void>;
	/** Signs out. Absent: the exam does not know how. */
	signOut?(browser: string): Promise<void>;
	/** Begins a sign-in, and stops before the browser opens the service. Returns the URL of the authorization request; undefined if the client made none. Absent: no probe can be an attacker. */
	begin?(browser: string, options: SignInOptions): Promise<string | undefined>;
	/** Opens a URL: a callback of the client, or an authorization request that was begun, which the user then completes. */
	open?(browser: string, url: string, options: SignInOptions): Promise<boolean | void>;
	/** The last page of a browser. A status of 0: there was no response. */
	page?(browser: string): { readonly status: number; readonly text: string; readonly isHtml?: boolean };
	/** Where the client showed its secret to a browser so far, in words. Undefined: nowhere. */
	secretIn?(): string | undefined;
	/** Why a browser cannot go on from its last page, in a sentence; undefined if nothing is known. */
	obstacle?(browser: string): string | undefined;
	/** Ends what the driver has started. */
	stop(): Promise<void>;
}
