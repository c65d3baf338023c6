// One mistake of a client of the Model Context Protocol, by the rule that names it. The other rules find nothing wrong.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} name of the rule, without its area. Empty: no mistake
 * @param {string} server its URL
 */
export function agentMistake(name, server) {
	const file = join(process.env.HOME ?? '', 'client.json');
	/** The authorization server, and whether it announces `iss`. */
	let [issuer, announces] = ['', true];
	return {
		/**
		 * Whether it begins again after an error, whatever the server said.
		 * @param {number} attempts
		 * @param {boolean} isRegistered
		 */
		beginsAgain: (attempts, isRegistered) =>
			attempts < 8 && name === (isRegistered ? 'endless_403' : 'registration_rejected'),
		/** Keeps the client without its issuer. */
		storedClient: () => (existsSync(file) ? readObject(readFileSync(file, 'utf8')) : undefined),
		/** @param {string} client_id */
		storeClient(client_id) {
			if (name === 'moved_server') writeFileSync(file, JSON.stringify({ client_id }));
		},
		/** @param {URL} url */
		authorizationUrl(url) {
			const scopes = url.searchParams.get('scope')?.split(' ') ?? [];
			if (name === 'resource') url.searchParams.delete('resource');
			if (name === 'scope_union') url.searchParams.set('scope', scopes.at(-1) ?? '');
			return url;
		},
		/** @param {URLSearchParams} parameters */
		callback(parameters) {
			const iss = parameters.get('iss');
			const isOther = iss !== null && !iss.startsWith(issuer);
			if (name === 'iss_wrong' && announces && isOther) parameters.set('iss', issuer);
			if (name === 'iss_missing' && iss === null) parameters.set('iss', issuer);
			if (name === 'iss_unexpected' && !announces) parameters.delete('iss');
			if (name === 'iss_slash' && iss !== null) parameters.set('iss', iss.replace(/\/$/, ''));
			return parameters;
		},
		/** @type {(input: string | URL, init?: RequestInit) => Promise<Response>} */
		async fetch(input, init) {
			if (name === 'resource' && init?.body instanceof URLSearchParams) init.body.delete('resource');
			const response = await fetch(input, init);
			if (!String(input).includes('/.well-known/') || !response.ok) return response;
			const metadata = readObject(await response.text());
			if (Array.isArray(metadata.authorization_servers)) {
				issuer = String(metadata.authorization_servers[0]);
				if (name === 'other_resource') metadata.resource = server;
			} else {
				announces = metadata.authorization_response_iss_parameter_supported === true;
				if (name === 'metadata_issuer') metadata.issuer = issuer;
			}
			return Response.json(metadata);
		}
	};
}

/**
 * @param {string} text
 * @returns {Record<string, unknown>}
 */
function readObject(text) {
	/** @type {unknown} */
	const value = JSON.parse(text);
	return typeof value === 'object' && value !== null ? { ...value } : {};
}
