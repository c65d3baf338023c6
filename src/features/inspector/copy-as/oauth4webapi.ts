import type { TrafficEntry } from '#api/control/traffic.ts';
import { dialectOfExchange } from '../exchange-dialect.ts';
import { pairs, scriptString } from './javascript.ts';
import type { RequestParts } from './request-parts.ts';
import type { Template } from './template.ts';

const own = ['client_id', 'client_secret', 'grant_type'];

/**
 * A token request as a call of oauth4webapi. In the dialect of today's standards, the library takes the endpoint from the metadata of
 * the issuer.
 * @returns undefined for any other request
 */
export function toOauth4webapi(
	entry: TrafficEntry,
	{ url, headers, form }: RequestParts,
	origin: string
): string | undefined {
	const value = (name: string): Template | undefined => form?.find(([one]) => one === name)?.[1];
	const [sentId, client_secret, grantType] = own.map(value);
	const isBasic = headers.some(([name, [first]]) => name.toLowerCase() === 'authorization' && isBasicScheme(first));
	// The header contains it, too, but together with the secret.
	const client_id = sentId ?? (isBasic && entry.client_id !== undefined ? [{ text: entry.client_id }] : undefined);
	if (entry.endpoint !== 'token' || form === undefined || client_id === undefined || grantType === undefined) {
		return undefined;
	}
	const authentication = isBasic
		? `oauth.ClientSecretBasic(${scriptString([{ variable: 'CLIENT_SECRET' }])})`
		: client_secret === undefined
			? 'oauth.None()'
			: `oauth.ClientSecretPost(${scriptString(client_secret)})`;
	const { metadata, tokenType } = dialectOfExchange(entry);
	const path = entry.request.target.replace(/\/ws\/oauth2\/token\/.*$/s, '');
	const issuer = scriptString([{ text: origin + path }]);
	const server = metadata
		? `const issuer = new URL(${issuer});
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' }));`
		: `const server = { issuer: ${scriptString([{ text: origin }])}, token_endpoint: ${scriptString(url)} };`;
	const options = tokenType === 'OAuth' ? `, {\n  recognizedTokenTypes: { oauth: () => {} }\n}` : '';
	const parameters = form.filter(([name]) => !own.includes(name));
	return `import * as oauth from 'oauth4webapi';

${server}
const client = { client_id: ${scriptString(client_id)} };

const response = await oauth.genericTokenEndpointRequest(
  server,
  client,
  ${authentication},
  ${scriptString(grantType)},
  new URLSearchParams(${pairs(parameters, '  ')})
);
const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response${options});
console.log(tokens);`;
}

function isBasicScheme(part: Template[number] | undefined): boolean {
	return part !== undefined && 'text' in part && /^basic /i.test(part.text);
}
