/** What a probe wants of a sign-in. */
export type SignInOptions = {
	/** Whether the client should ask for offline access. Clients that always or never do ignore it. */
	readonly offline?: boolean;
	/** `error`: the service responds such that no sign-in can follow. */
	readonly expect?: 'success' | 'error';
};

/** Operates the client under test, as its user does. Browsers are `a`, `b` and so on, each with separate cookies. */
export interface Driver {
	/** Signs in from the start page of the client to its last page. A page with an error is no failure of this function. */
	signIn(browser: string, options?: SignInOptions): Promise<void>;
	/** Makes the client call a resource as the user who signed in. @param name of the character to read, for clients that take one */
	use(browser: string, name?: string): Promise<void>;
	/** Signs out. Absent: the exam does not know how. */
	signOut?(browser: string): Promise<void>;
	/** Begins a sign-in, and stops before the browser opens the service. Returns the URL of the authorization request; undefined if the client made none. Absent: no probe can be an attacker. */
	begin?(browser: string): Promise<string | undefined>;
	/** Opens the client's callback URL, and returns the text of the page where the browser arrives. */
	open?(browser: string, url: string): Promise<string>;
	/** The text of the last page of a browser. */
	page?(browser: string): string;
	/** Ends what the driver has started. */
	stop(): Promise<void>;
}
