import { defined, equal } from './assert.ts';
import { hostCase, storeCase, testCase, type Case, type CaseCreator } from './case.ts';
import type { TestResponse, Tokens } from './response.ts';
import { encode, type App, type Pairs, type Sandbox } from './sandbox.ts';
import { codeOf, type AuthorizationParameters, type TestUser } from './user-agent.ts';

/** The pair of RFC 7636, appendix B. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const pkce = {
	code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
	code_challenge_method: 'S256'
} as const;

export type StandardTokens = Tokens & { readonly refresh_token: string };

/** `testCase`, `hostCase` and `storeCase` in the dialect of today's standards. */
export const standardCase = inStandard(testCase);
export const standardHostCase = inStandard(hostCase);
export const standardStoreCase = inStandard(storeCase);

function inStandard(create: CaseCreator): CaseCreator {
	const run = (inDialect: Case['run']) => async (at: Sandbox) => {
		await at.changeSettings({ dialect: 'standard' });
		await inDialect(at);
	};
	return (name, inDialect, needs) => create(`today's standards: ${name}`, run(inDialect), needs);
}

/** The header of HTTP Basic authentication. */
export function basic({ client_id, client_secret }: Pick<App, 'client_id' | 'client_secret'>): [string, string] {
	return ['Authorization', `Basic ${btoa(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`)}`];
}

/** A code that was requested with PKCE. */
export async function codeWithPkce(
	user: TestUser,
	app: App = user.at.viewer,
	asked: AuthorizationParameters = {}
): Promise<string> {
	return codeOf(await user.allow(app, { ...pkce, ...asked }));
}

/** Exchanges a code with the verifier of `pkce`, as a client with a secret. */
export function exchangeWithPkce(at: Sandbox, code: string, app: App = at.viewer): Promise<TestResponse> {
	const { client_secret: _, ...fields } = app;
	return at.token({ grant_type: 'authorization_code', code, code_verifier: verifier, ...fields }, ...basic(app));
}

/** Walks the whole flow to tokens, with PKCE and HTTP Basic. */
export async function standardTokens(
	at: Sandbox,
	user: TestUser = at.user(),
	app: App = at.viewer
): Promise<StandardTokens> {
	const { tokens } = await exchangeWithPkce(at, await codeWithPkce(user, app), app);
	return { ...tokens, refresh_token: defined(tokens.refresh_token, 'refresh_token') };
}

/** Calls the character resource with a Bearer token. */
export function readCharacter(at: Sandbox, access_token: string, name = 'Mara Vell'): Promise<TestResponse> {
	return at.get(`/ws/v2.0/character/${encodeURIComponent(name)}`, 'Authorization', `Bearer ${access_token}`);
}

export function refreshWithBasic(at: Sandbox, refresh_token: string, app: App = at.viewer): Promise<TestResponse> {
	return at.token({ grant_type: 'refresh_token', refresh_token }, ...basic(app));
}

export function revokeWithBasic(at: Sandbox, token: string, app: App = at.viewer): Promise<TestResponse> {
	return at.post('/ws/oauth2/revoke', { token }, ...basic(app));
}

export function introspect(at: Sandbox, token: string, app: App = at.viewer): Promise<TestResponse> {
	return at.post('/ws/oauth2/introspect', { token }, ...basic(app));
}

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

type DeviceCodes = {
	readonly device_code: string;
	readonly user_code: string;
	readonly verification_uri_complete: string;
};

/** The codes of a new device, an installed application without a secret. */
export async function askForCodes(at: Sandbox): Promise<DeviceCodes> {
	const response = await at.post('/ws/oauth2/device_authorization', { client_id: 'pocket-companion' });
	equal(response.status, 200, response.text);
	return Object(response.json());
}

export function pollDevice(at: Sandbox, { device_code }: Pick<DeviceCodes, 'device_code'>): Promise<TestResponse> {
	return at.token({ grant_type: deviceGrant, device_code, client_id: 'pocket-companion' });
}

/** Pushes an authorization request with PKCE (RFC 9126). */
export function push(at: Sandbox, more: AuthorizationParameters = {}, app: App = at.viewer): Promise<TestResponse> {
	const { client_id, redirect_uri } = app;
	const form = { client_id, redirect_uri, response_type: 'code', scope: 'character_read', ...pkce, ...more };
	return at.post('/ws/oauth2/par', form, ...basic(app));
}

export function requestUriOf(response: TestResponse): string {
	equal(response.status, 201, response.text);
	return String(Object(response.json()).request_uri);
}

/** Opens the authorization endpoint with a request that was pushed. */
export function openPushed(
	user: TestUser,
	request_uri: string,
	more: Readonly<Record<string, string>> = {}
): Promise<TestResponse> {
	return user.open(`/ws/oauth2/auth/${query({ client_id: user.at.viewer.client_id, request_uri, ...more })}`);
}

/** Registers a client with JSON (RFC 7591). */
export function registerClient(at: Sandbox, metadata: unknown): Promise<TestResponse> {
	const body = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
	return at.send({
		method: 'POST',
		target: '/ws/oauth2/register',
		headers: ['Content-Type', 'application/json'],
		body
	});
}

/** A target at the origin: the well-known path before that of the sandbox. */
export async function getAtOrigin(at: Sandbox, document: string, suffix = ''): Promise<TestResponse> {
	return at.sendToOrigin(`/.well-known/${document}${at.prefix}${suffix}`);
}

/** Fields as a query. */
export function query(fields: Pairs): string {
	return `?${encode(fields)}`;
}
