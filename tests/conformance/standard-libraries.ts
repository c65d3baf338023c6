import { OAuth2Client as BadgatewayClient } from '@badgateway/oauth2-client';
import * as arctic from 'arctic';
import { OAuth2 } from 'oauth';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Request } from 'express';
import PassportStrategy from 'passport-oauth2';
import { AuthorizationCode } from 'simple-oauth2';
import * as v from 'valibot';
import type { App } from './sandbox.ts';

/** What a library is given, and nothing else. */
export type Given = App & { readonly issuer: string };

/** A signed-in user, as a library keeps the tokens. */
export type SignedIn = {
	readonly accessToken: () => string;
	readonly refresh: () => Promise<void>;
	readonly revoke: () => Promise<void>;
};

/** A sign-in that a library began: where the user goes, and what follows. */
export type SignIn = { readonly url: string; readonly finish: (callback: URL) => Promise<SignedIn> };

/** Unmodified libraries, as their documentation says. Those without discovery take the endpoints from the metadata. */
export const standardLibraries: Readonly<Record<string, (given: Given) => Promise<SignIn>>> = {
	oauth4webapi: signInWithOauth4webapi,
	'openid-client': signInWithOpenidClient,
	'@badgateway/oauth2-client': signInWithBadgateway,
	arctic: signInWithArctic,
	'simple-oauth2': signInWithSimpleOauth2,
	oauth: signInWithOauth,
	'passport-oauth2': signInWithPassport
};

const scope = 'character_read';
const state = 'state-of-this-test';
const metadataSchema = v.object({
	authorization_endpoint: v.string(),
	token_endpoint: v.string(),
	revocation_endpoint: v.string()
});

function metadataUrl(issuer: string): string {
	const { origin, pathname } = new URL(issuer);
	return `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
}

async function metadataOf(issuer: string): Promise<v.InferOutput<typeof metadataSchema>> {
	return v.parse(metadataSchema, await (await fetch(metadataUrl(issuer))).json());
}

async function signInWithOauth4webapi({ issuer, client_id, client_secret, redirect_uri }: Given): Promise<SignIn> {
	const url = new URL(issuer);
	const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { algorithm: 'oauth2' }));
	const client = { client_id };
	const authentication = oauth.ClientSecretBasic(client_secret);
	const verifier = oauth.generateRandomCodeVerifier();
	const authorization = new URL(server.authorization_endpoint ?? '');
	authorization.search = new URLSearchParams({
		response_type: 'code',
		client_id,
		redirect_uri,
		scope,
		state,
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: 'S256'
	}).toString();
	const finish = async (callback: URL): Promise<SignedIn> => {
		const parameters = oauth.validateAuthResponse(server, client, callback, state);
		const request = [server, client, authentication, parameters, redirect_uri, verifier] as const;
		const exchanged = await oauth.authorizationCodeGrantRequest(...request);
		let tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
		return {
			accessToken: () => tokens.access_token,
			async refresh() {
				const token = tokens.refresh_token ?? '';
				const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token);
				tokens = await oauth.processRefreshTokenResponse(server, client, response);
				const described = await oauth.introspectionRequest(server, client, authentication, tokens.access_token);
				const { active } = await oauth.processIntrospectionResponse(server, client, described);
				if (!active) throw new Error('The new access token is not active.');
			},
			async revoke() {
				const request = oauth.revocationRequest(server, client, authentication, tokens.refresh_token ?? '');
				await oauth.processRevocationResponse(await request);
			}
		};
	};
	return { url: authorization.href, finish };
}

async function signInWithOpenidClient({ issuer, client_id, client_secret, redirect_uri }: Given): Promise<SignIn> {
	const config = await openid.discovery(new URL(issuer), client_id, client_secret, undefined, { algorithm: 'oauth2' });
	const verifier = openid.randomPKCECodeVerifier();
	const url = openid.buildAuthorizationUrl(config, {
		redirect_uri,
		scope,
		state,
		code_challenge: await openid.calculatePKCECodeChallenge(verifier),
		code_challenge_method: 'S256'
	}).href;
	const finish = async (callback: URL): Promise<SignedIn> => {
		const checks = { expectedState: state, pkceCodeVerifier: verifier };
		let tokens: openid.TokenEndpointResponse = await openid.authorizationCodeGrant(config, callback, checks);
		return {
			accessToken: () => tokens.access_token,
			refresh: async () => void (tokens = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')),
			revoke: () => openid.tokenRevocation(config, tokens.refresh_token ?? '')
		};
	};
	return { url, finish };
}

async function signInWithBadgateway({ issuer, client_id, client_secret, redirect_uri }: Given): Promise<SignIn> {
	const client = new BadgatewayClient({
		clientId: client_id,
		clientSecret: client_secret,
		discoveryEndpoint: metadataUrl(issuer)
	});
	const options = { redirectUri: redirect_uri, state, codeVerifier: 'v'.repeat(43) };
	const url = await client.authorizationCode.getAuthorizeUri({ ...options, scope: [scope] });
	const finish = async (callback: URL): Promise<SignedIn> => {
		let token = await client.authorizationCode.getTokenFromCodeRedirect(callback, options);
		return {
			accessToken: () => token.accessToken,
			refresh: async () => void (token = await client.refreshToken(token)),
			revoke: () => client.revoke(token, 'refresh_token')
		};
	};
	return { url, finish };
}

async function signInWithArctic({ issuer, client_id, client_secret, redirect_uri }: Given): Promise<SignIn> {
	const { authorization_endpoint, token_endpoint, revocation_endpoint } = await metadataOf(issuer);
	const client = new arctic.OAuth2Client(client_id, client_secret, redirect_uri);
	const verifier = arctic.generateCodeVerifier();
	const method = arctic.CodeChallengeMethod.S256;
	const url = client.createAuthorizationURLWithPKCE(authorization_endpoint, state, method, verifier, [scope]).href;
	const finish = async ({ searchParams }: URL): Promise<SignedIn> => {
		let tokens = await client.validateAuthorizationCode(token_endpoint, searchParams.get('code') ?? '', verifier);
		return {
			accessToken: () => tokens.accessToken(),
			refresh: async () => void (tokens = await client.refreshAccessToken(token_endpoint, tokens.refreshToken(), [])),
			revoke: () => client.revokeToken(revocation_endpoint, tokens.refreshToken())
		};
	};
	return { url, finish };
}

async function signInWithSimpleOauth2({ issuer, client_id, client_secret, redirect_uri }: Given): Promise<SignIn> {
	const { authorization_endpoint, token_endpoint, revocation_endpoint } = await metadataOf(issuer);
	const client = new AuthorizationCode({
		client: { id: client_id, secret: client_secret },
		auth: {
			tokenHost: new URL(token_endpoint).origin,
			tokenPath: new URL(token_endpoint).pathname,
			authorizePath: new URL(authorization_endpoint).pathname,
			revokePath: new URL(revocation_endpoint).pathname
		}
	});
	const verifier = oauth.generateRandomCodeVerifier();
	const challenge = {
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: 'S256'
	};
	const url = client.authorizeURL({ redirect_uri, scope, state, ...challenge });
	const finish = async ({ searchParams }: URL): Promise<SignedIn> => {
		const request = { code: searchParams.get('code') ?? '', redirect_uri, code_verifier: verifier };
		let token = await client.getToken(request);
		return {
			accessToken: () => String(token.token.access_token),
			refresh: async () => void (token = await token.refresh()),
			revoke: () => token.revoke('refresh_token')
		};
	};
	return { url, finish };
}

type Fields = { readonly access_token: string; readonly refresh_token: string };

/** Sends a token request by the package oauth. */
function requestToken(client: OAuth2, code: string, parameters: Record<string, string>): Promise<Fields> {
	return new Promise((resolve, reject) => {
		client.getOAuthAccessToken(code, parameters, (error: unknown, access_token = '', refresh_token = '') => {
			if (error === null) resolve({ access_token, refresh_token });
			else reject(new Error(JSON.stringify(error)));
		});
	});
}

/** What follows the exchange, for libraries that know no revocation. */
function keep({ issuer, client_id, client_secret }: Given, client: OAuth2, first: Fields): SignedIn {
	let tokens = first;
	return {
		accessToken: () => tokens.access_token,
		refresh: async () =>
			void (tokens = await requestToken(client, tokens.refresh_token, { grant_type: 'refresh_token' })),
		async revoke() {
			const { revocation_endpoint } = await metadataOf(issuer);
			const body = new URLSearchParams({ token: tokens.refresh_token, client_id, client_secret });
			const { status } = await fetch(revocation_endpoint, { method: 'POST', body });
			if (status !== 200) throw new Error(`The revocation got ${status}.`);
		}
	};
}

async function signInWithOauth(given: Given): Promise<SignIn> {
	const { issuer, client_id, client_secret, redirect_uri } = given;
	const { authorization_endpoint, token_endpoint } = await metadataOf(issuer);
	const path = (url: string) => url.slice(issuer.length);
	const client = new OAuth2(client_id, client_secret, issuer, path(authorization_endpoint), path(token_endpoint));
	const verifier = oauth.generateRandomCodeVerifier();
	const url = client.getAuthorizeUrl({
		response_type: 'code',
		redirect_uri,
		scope,
		state,
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: 'S256'
	});
	const finish = async ({ searchParams }: URL): Promise<SignedIn> => {
		const parameters = { grant_type: 'authorization_code', redirect_uri, code_verifier: verifier };
		return keep(given, client, await requestToken(client, searchParams.get('code') ?? '', parameters));
	};
	return { url, finish };
}

/** What passport-oauth2 reads of a request of Express. */
function expressRequest(session: object, query: Record<string, string>): Request;
function expressRequest(session: object, query: Record<string, string>): object {
	return { session, query, headers: {}, connection: {} };
}

class Strategy extends PassportStrategy {
	readonly client = this._oauth2;
}

async function signInWithPassport(given: Given): Promise<SignIn> {
	const { authorization_endpoint, token_endpoint } = await metadataOf(given.issuer);
	const strategy = new Strategy(
		{
			authorizationURL: authorization_endpoint,
			tokenURL: token_endpoint,
			clientID: given.client_id,
			clientSecret: given.client_secret,
			callbackURL: given.redirect_uri,
			scope,
			state: true,
			pkce: true
		},
		(
			access_token: string,
			refresh_token: string,
			_results: object,
			_profile: unknown,
			done: PassportStrategy.VerifyCallback
		) => done(null, { access_token, refresh_token })
	);
	const session = {};
	/** Passport calls an own strategy for each request. */
	const authenticate = (query: Record<string, string>) =>
		new Promise<unknown>((resolve, reject) => {
			const one = Object.create(strategy);
			one.redirect = (url: string) => resolve({ url });
			one.success = resolve;
			one.fail = (info: unknown) => reject(new Error(JSON.stringify(info)));
			one.error = reject;
			one.authenticate(expressRequest(session, query), {});
		});
	const { url } = v.parse(v.object({ url: v.string() }), await authenticate({}));
	const finish = async ({ searchParams }: URL): Promise<SignedIn> => {
		const fields = v.object({ access_token: v.string(), refresh_token: v.string() });
		const tokens = v.parse(fields, await authenticate(Object.fromEntries(searchParams)));
		return keep(given, strategy.client, tokens);
	};
	return { url, finish };
}
