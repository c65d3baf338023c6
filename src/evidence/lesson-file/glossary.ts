/** What the dotted terms of the lessons mean: one or two short sentences, and where more is said. */
const entries = {
	'access token': {
		text: 'The value that an application sends with each request. The resource server accepts it from any sender.',
		section: 'RFC 6749 §1.4'
	},
	account: { text: 'What a user signs in to at the service. Applications never get its password.', section: '2.1' },
	'authorization code': {
		text: 'A short-lived value that the browser carries to the application, which exchanges it for tokens. It works once.',
		section: 'RFC 6749 §1.3.1'
	},
	blacklist: {
		text: 'The addresses that get no response any more. Only the owner of the service removes an entry.',
		section: '8.7'
	},
	'callback page': {
		text: 'The page of the application that the browser is sent to after the consent. It is at the redirect URI.',
		section: 'RFC 6749 §3.1.2'
	},
	'client secret': {
		text: 'A password of the application. It is a secret only on a server: each copy of a program contains it.',
		section: 'RFC 6749 §2.3.1'
	},
	'code challenge': {
		text: 'The SHA-256 hash of the code verifier. It goes ahead with the authorization request.',
		section: 'RFC 7636 §4.2'
	},
	'code verifier': {
		text: 'A random value that an application makes for one sign-in and sends only with the code exchange.',
		section: 'RFC 7636 §4.1'
	},
	'consent page': {
		text: 'The page of the service that lists what an application asks for. The user allows it or not.',
		section: '2.1'
	},
	CSRF: {
		text: 'Cross-site request forgery: a link from another user makes your browser do something in your session.',
		section: 'RFC 6749 §10.12'
	},
	'fixed window': {
		text: 'A count that begins with a request, and is forgotten when its time is over.',
		section: '8.2'
	},
	grant: {
		text: 'What a user has allowed an application, added up over all sign-ins. Revoking ends it.',
		section: '3.1'
	},
	'installed application': {
		text: 'A program on the computer of the user. It has no server, so it cannot keep a secret.',
		section: '3.2'
	},
	jitter: {
		text: 'A random time that each client adds to its wait, so that not all return at once.',
		section: '8.9'
	},
	'offline access': {
		text: 'Permission to go on without the user. The application gets a refresh token for it.',
		section: '2.1'
	},
	'rate limit': {
		text: 'How many requests an address may send in a window of time. Each kind of request has its own.',
		section: '8.2'
	},
	'redirect URI': {
		text: 'The address that the service sends the browser to, with the code. The application registers it beforehand.',
		section: 'RFC 6749 §3.1.2'
	},
	'Referer header': {
		text: 'A request header with the address of the page that caused the request. The query can be part of it.',
		section: 'RFC 9110 §10.1.3'
	},
	'refresh token': {
		text: 'A long-lived value that gets new access tokens without the user. It works until access is revoked.',
		section: 'RFC 6749 §1.5'
	},
	'reset time': {
		text: 'When the window ends and the count starts again, in Unix seconds of the clock of the service.',
		section: '8.4'
	},
	revocation: {
		text: 'A request that ends a grant, and all tokens that came from it.',
		section: '4'
	},
	scope: {
		text: 'The name of a permission, such as character_read. A request lists those that the application needs.',
		section: 'RFC 6749 §3.3'
	},
	state: {
		text: 'A random value that the application sends with a sign-in and expects back, unchanged, in the same browser.',
		section: 'RFC 6749 §10.12'
	},
	'support ticket': {
		text: 'A message to the owner of the service: why it happened, and what was changed since.',
		section: '8.8'
	},
	throttling: {
		text: 'Spreading requests over the time that is left, so that the limit is not reached.',
		section: '8.9'
	}
} as const satisfies Record<string, { readonly text: string; readonly section: string }>;

/** A term as it is written in texts. */
export type Term = keyof typeof entries;

export const glossary: Readonly<Record<Term, { readonly text: string; readonly section: string }>> = entries;

/** All of them. */
export const terms = Object.keys(entries).filter((name): name is Term => name in entries);
