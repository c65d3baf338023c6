import type { TrafficEntry } from '#api/control/traffic.ts';
import { isTokenRequest, parameter } from '../exchanges.ts';
import type { Try } from './try.ts';

/** How the client got its id. */
export function clientIdTries(entries: readonly TrafficEntry[], asked: TrafficEntry | undefined): Try[] {
	const registrations = entries.filter(({ endpoint }) => endpoint === 'register');
	if (registrations.length > 0)
		return registrations.map(({ id, request, response }) => ({
			tone: response?.status === 201 ? 'ok' : 'caution',
			status: response?.status,
			text: `POST ${request.target}`,
			reason:
				response?.status === 201 ? 'Registered. Consent shows only the name it gave itself' : 'Registration rejected',
			exchange: id
		}));
	const client_id = asked && parameter(asked, 'client_id');
	if (asked === undefined || client_id === undefined) return [];
	const isDocument = /^https?:\/\//.test(client_id) && URL.canParse(client_id);
	return [
		{
			tone: 'ok',
			text: client_id.slice(0, 200),
			reason: isDocument
				? `Metadata document. Consent shows ${new URL(client_id).host}`
				: 'Known client, registered before',
			exchange: asked.id
		}
	];
}

/** Whether the client named the server in both requests. Undefined: it has sent neither. */
export function resourceTry(entries: readonly TrafficEntry[], asked: TrafficEntry | undefined): Try | undefined {
	if (asked === undefined) return undefined;
	const token = entries.find((entry) => isTokenRequest(entry, 'authorization_code'));
	const first = parameter(asked, 'resource');
	const second = token && parameter(token, 'resource');
	const exchange = (token ?? asked).id;
	if (first === undefined && second === undefined)
		return { tone: 'error', text: 'no resource', reason: 'The token is for no server', exchange };
	if (first === undefined)
		return {
			tone: 'caution',
			text: 'resource in the token request only',
			reason: 'Authorization request has none',
			exchange
		};
	if (token !== undefined && second === undefined)
		return { tone: 'caution', text: 'resource in the first request only', reason: 'Token request has none', exchange };
	if (token !== undefined && second !== first)
		return { tone: 'caution', text: 'two resources', reason: 'The requests name different ones', exchange };
	return {
		tone: 'ok',
		text: `resource=${shortened(first)}`,
		reason: token === undefined ? 'In the first request. No token request' : 'Token works at this server only',
		exchange
	};
}

/** A URL without its origin. */
function shortened(url: string): string {
	return URL.canParse(url) ? `…${new URL(url).pathname}` : url.slice(0, 100);
}
