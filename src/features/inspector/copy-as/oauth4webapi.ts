import type { TrafficEntry } from '#api/control/traffic.ts';
import { pairs, scriptString } from './javascript.ts';
import type { RequestParts } from './request-parts.ts';
import type { Template } from './template.ts';

const own = ['client_id', 'client_secret', 'grant_type'];

/** A token request as a call of oauth4webapi. Undefined for any other request. */
export function toOauth4webapi(entry: TrafficEntry, { url, form }: RequestParts, origin: string): string | undefined {
	const value = (name: string): Template | undefined => form?.find(([one]) => one === name)?.[1];
	const [client_id, client_secret, grantType] = own.map(value);
	if (entry.endpoint !== 'token' || form === undefined || client_id === undefined || grantType === undefined) {
		return undefined;
	}
	const authentication =
		client_secret === undefined ? 'oauth.None()' : `oauth.ClientSecretPost(${scriptString(client_secret)})`;
	const parameters = form.filter(([name]) => !own.includes(name));
	return `import * as oauth from 'oauth4webapi';

const server = { issuer: ${scriptString([{ text: origin }])}, token_endpoint: ${scriptString(url)} };
const client = { client_id: ${scriptString(client_id)} };

const response = await oauth.genericTokenEndpointRequest(
  server,
  client,
  ${authentication},
  ${scriptString(grantType)},
  new URLSearchParams(${pairs(parameters, '  ')})
);
const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response, {
  recognizedTokenTypes: { oauth: () => {} }
});
console.log(tokens);`;
}
