import { headerValues } from '#wire/headers.ts';
import { answerData, answerError, requireMethod } from '../responses.ts';
import { decodeBase64, decodePercent, decodeUtf8 } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { Fields } from '../form-fields.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins, narrowOrigins } from '../checks/cors.ts';
import { injectFault } from '../checks/faults.ts';
import { authenticate } from './client-authentication.ts';
import { endpoint, step } from '../runner.ts';
import { exchangeCode } from './code-exchange.ts';
import { refresh } from './refresh.ts';
import { TokenCall } from './token-context.ts';

const formType = 'application/x-www-form-urlencoded';

const takeMethod = step<TokenCall>('the method is POST', '4', (call) => requireMethod(call, 'POST'));

const readForm = step<TokenCall>('the body is a form, no field sent twice', '2.3', (call) => {
	call.form = readFormBody(call);
	const repeated = call.form.repeated();
	if (repeated !== undefined)
		throw invalidRequest(`The field ${shown(repeated)} was sent more than once. Send it once.`);
	const broken = call.form.broken();
	if (broken !== undefined) throw invalidRequest(`The field ${shown(broken)} is not percent-encoded UTF-8.`);
	call.saw(`grant_type=${shown(call.form.get('grant_type') ?? '(none)')}`);
});

const authenticateClient = step<TokenCall>(
	'client_id and client_secret are those of an application',
	'2.3',
	async (call) => {
		const [client_id, client_secret] = credentials(call);
		call.application = await authenticate(call, client_id, call.secret(client_secret));
		narrowOrigins(call, call.application);
		call.saw(`${call.application.client_id}, ${call.application.kind} application`);
	}
);

const chooseGrant = step<TokenCall>('grant_type is one that the service knows', '2.3', (call) => {
	const grant_type = call.form.get('grant_type');
	if (grant_type === undefined)
		throw invalidRequest('The field grant_type is missing: authorization_code or refresh_token.');
	if (grant_type !== 'authorization_code' && grant_type !== 'refresh_token') {
		throw new ProtocolError(
			'unsupported_grant_type',
			'This service knows the grant types authorization_code and refresh_token, spelt exactly so.'
		);
	}
	call.grant_type = grant_type;
	call.saw(grant_type);
});

const exchangeGrant = step<TokenCall>('the grant is good and turns into tokens', '3.1', async (call) => {
	const tokens = await (call.grant_type === 'authorization_code' ? exchangeCode(call) : refresh(call));
	return answerData(call, 200, 'OAuth', tokens);
});

/** The token endpoint, `POST /ws/oauth2/token/` (specification, sections 2.3, 2.4 and 3.1). */
export const token = endpoint(
	TokenCall,
	[
		refuseBlacklisted,
		allowOrigins('POST'),
		injectFault,
		takeMethod,
		readForm,
		authenticateClient,
		chooseGrant,
		exchangeGrant
	],
	answerError
);

function readFormBody(call: TokenCall): Fields {
	// Joined, so that a second one is not overlooked, whatever the first says.
	const all = (name: string) => headerValues(call.request.headers, name).join().toLowerCase();
	if (!['', 'identity'].includes(all('content-encoding'))) {
		throw new ProtocolError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
	}
	const [type = '', ...parameters] = all('content-type').split(';');
	const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
	if (type.trim() !== formType || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))) {
		throw invalidRequest(`Send the fields as a form: Content-Type: ${formType}, in UTF-8.`);
	}
	const body = decodeUtf8(call.request.body);
	if (body === undefined) throw invalidRequest('The body is not UTF-8.');
	const form = new Fields(body);
	if (form.tooMany) throw invalidRequest('The body has more than 100 fields.');
	return form;
}

function credentials(call: TokenCall): [client_id: string, client_secret: string] {
	const client_id = call.form.get('client_id');
	const client_secret = call.form.get('client_secret');
	const header = call.header('authorization');
	if (header !== undefined && call.sandbox.world.settings.strict) {
		throw invalidRequest(
			'Send client_id and client_secret in the body. This service takes no credentials in a header.'
		);
	}
	const basic = header === undefined ? undefined : /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(header)?.[1];
	if (basic !== undefined) {
		if (client_secret !== undefined) throw invalidRequest('Send the credentials once: in the header or in the body.');
		const [id, secret] = (decodeBase64(basic) ?? '').split(':').map((part) => decodePercent(part, true) ?? '');
		if (client_id !== undefined && client_id !== id)
			throw invalidRequest('The header and the body name different clients.');
		return [id ?? '', secret ?? ''];
	}
	if (client_id === undefined) throw invalidRequest('The field client_id is missing.');
	return [client_id, client_secret ?? ''];
}

function invalidRequest(description: string): ProtocolError {
	return new ProtocolError('invalid_request', description);
}

function shown(text: string): string {
	return text.replace(/[^\x21-\x7e]/g, '?').slice(0, 40);
}
