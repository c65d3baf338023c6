import * as v from 'valibot';
import { declare } from '../declare.ts';
import { serverMetadata } from './standard.ts';
import { limitHeaders, tokenErrors } from './rate-limits.ts';

/** A message of JSON-RPC 2.0. */
export const agentMessage = v.looseObject({ jsonrpc: v.literal('2.0') });

/** The server of the Model Context Protocol, which agents connect to. */
export const agentEndpoints = declare({
	'POST /mcp': {
		id: 'sendAgentMessage',
		tag: 'Resources',
		dialect: 'standard',
		access: 'access token',
		summary: 'Send a message of an agent',
		description:
			'A server of the Model Context Protocol with three tools that read characters, in the revision 2026-07-28 and those before it. The access token must name this URL as its resource (RFC 8707). One tool needs another scope than the others.',
		body: {
			schema: agentMessage,
			isUnchecked: true,
			example: { jsonrpc: '2.0', id: 1, method: 'tools/list' }
		},
		responses: {
			200: { description: 'The response of the server.', json: agentMessage, headers: limitHeaders },
			202: { description: 'The notification was received.', headers: limitHeaders }
		},
		errors: {
			...tokenErrors,
			400: 'The body is no message of the protocol.',
			403: 'The access token does not have the scope of this tool, or the page that sent the message belongs to no client.',
			404: 'This Tollgate runs without a server.',
			413: 'The message is too long.'
		}
	},
	'GET /.well-known/oauth-authorization-server/moved': {
		id: 'readMovedMetadata',
		tag: 'Authorization',
		dialect: 'standard',
		logName: 'oauth-authorization-server',
		summary: 'Read the metadata of the moved server',
		description: 'The metadata with another issuer, while the setting `agent_fault` is `moved_server`.',
		access: 'everybody',
		responses: { 200: { description: 'The metadata.', json: serverMetadata } },
		errors: { 404: 'The server has not moved.' }
	}
});
