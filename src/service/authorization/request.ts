import { ownText } from '../encoding.ts';
import { ProtocolError, type ErrorCode } from '../errors.ts';
import { Fields, parseScope } from '../form-fields.ts';
import { step } from '../runner.ts';
import { scopes } from '../scopes.ts';
import type { AuthCall } from './authorization-context.ts';
import { matchesRegistered } from '../redirect-uris.ts';

/** The longest state that is returned, in bytes. */
const longestState = 4096;
const parameters = [
	'response_type',
	'client_id',
	'redirect_uri',
	'scope',
	'state',
	'access_type',
	'renew_previously_granted',
	'code_challenge',
	'code_challenge_method'
];

/** Reads the query. What is wrong with client_id and redirect_uri is told on a page, never by a redirect. */
export const readQuery = step<AuthCall>('the request can be read', '2.1', (call) => {
	call.fields = new Fields(call.query);
	if (call.fields.tooMany) throw invalid('The request has more than 100 parameters.');
	const state = call.fields.raw('state') ?? '';
	if (state.length - 2 * (state.match(/%/g)?.length ?? 0) > longestState)
		throw invalid('state may have 4096 bytes at the most.');
	call.saw(`${call.query.length} characters`);
});

export const identifyApplication = step<AuthCall>('client_id is that of an application', '2.1', async (call) => {
	const client_id = single(call, 'client_id');
	const application = await call.sandbox.area.get('application', client_id);
	if (application === undefined)
		throw invalid('No application has this client_id. It must be exactly as issued at registration.');
	call.application = application;
	call.client_id = application.client_id;
	call.saw(`${application.client_id}, ${application.kind} application`);
});

export const checkRedirectUri = step<AuthCall>('redirect_uri is one that the application registered', '2.1', (call) => {
	const redirect_uri = ownText(single(call, 'redirect_uri'));
	if (!matchesRegistered(call.application, redirect_uri)) {
		throw invalid(
			'redirect_uri is not one that the application registered. It must match exactly: scheme, letter case, port and trailing slash.'
		);
	}
	const state = call.fields.repeated(['state']) === undefined ? call.fields.raw('state') : undefined;
	call.asked = {
		client_id: call.application.client_id,
		redirect_uri,
		state: state === undefined ? undefined : ownText(state),
		scopes: [],
		offline: false,
		renew: false,
		challenge: undefined
	};
	call.redirectable = true;
	call.saw(redirect_uri);
});

export const checkParameters = step<AuthCall>(
	'no parameter is sent twice or badly encoded',
	'RFC 6749 §3.1',
	(call) => {
		const repeated = call.fields.repeated(parameters);
		if (repeated !== undefined) throw invalid(`The parameter ${repeated} was sent more than once.`);
		const broken = call.fields.broken(parameters.filter((name) => name !== 'state'));
		if (broken !== undefined) throw invalid(`The parameter ${broken} is not percent-encoded UTF-8.`);
	}
);

export const checkResponseType = step<AuthCall>('response_type is code', '2.1', (call) => {
	const response_type = call.fields.get('response_type');
	if (response_type === undefined) throw invalid('The parameter response_type is missing. It must be code.');
	if (response_type !== 'code')
		throw invalid('This service knows response_type=code only.', 'unsupported_response_type');
	call.saw(response_type);
});

export const checkScope = step<AuthCall>('every permission asked for exists', '2.1', (call) => {
	const scope = call.fields.get('scope');
	if (scope === undefined) throw invalid('The parameter scope is missing. Name the permissions that you need.');
	const asked = parseScope(scope);
	const unknown = asked?.find((name) => !scopes.has(name));
	if (asked === undefined || unknown !== undefined) {
		throw invalid(
			`scope names something that is no permission here. Known: ${[...scopes.keys()].join(' ')}.`,
			'invalid_scope'
		);
	}
	call.asked = { ...call.asked, scopes: asked.map(ownText) };
	call.saw(asked.join(' '));
});

export const checkAccess = step<AuthCall>('access_type and renew_previously_granted', '2.1', (call) => {
	const access_type = call.fields.get('access_type') ?? 'online';
	if (access_type !== 'online' && access_type !== 'offline') throw invalid('access_type is online or offline.');
	const renew = call.fields.get('renew_previously_granted') === 'yes';
	call.asked = { ...call.asked, offline: access_type === 'offline', renew };
	call.saw(renew ? `${access_type}, renewing what was granted before` : access_type);
});

export const checkChallenge = step<AuthCall>('code_challenge, where there is one, is S256', 'RFC 7636 §4.3', (call) => {
	const challenge = call.fields.get('code_challenge');
	const method = call.fields.get('code_challenge_method');
	if (challenge === undefined && method === undefined) return call.saw('none');
	if (challenge === undefined || method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
		throw invalid('PKCE needs code_challenge_method=S256 and a code_challenge of 43 characters of base64url.');
	}
	call.asked = { ...call.asked, challenge: ownText(challenge) };
	call.saw('S256');
});

function single(call: AuthCall, name: string): string {
	if (call.fields.repeated([name]) !== undefined) throw invalid(`The parameter ${name} was sent more than once.`);
	const value = call.fields.get(name);
	if (value !== undefined) return value;
	throw invalid(`The parameter ${name} is missing${call.fields.has(name) ? ' a readable value' : ''}.`);
}

function invalid(description: string, code: ErrorCode = 'invalid_request'): ProtocolError {
	return new ProtocolError(code, description);
}
