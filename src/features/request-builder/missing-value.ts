import type { RequestDraft } from './draft.ts';
import type { RequestKind } from './request-kinds.ts';

/** A value that a correct request needs, and the request that brings it. */
export type MissingValue = { readonly text: string; readonly from?: RequestKind };

const hints: Readonly<Record<string, MissingValue>> = {
	code: { text: 'code is empty. The response to an authorization request has one.', from: 'authorization' },
	device_code: {
		text: 'device_code is empty. The response with the device codes has one.',
		from: 'device_authorization'
	},
	request_uri: { text: 'request_uri is empty. The response to a pushed request has one.', from: 'pushed' },
	refresh_token: {
		text: 'refresh_token is empty. Ask for access_type=offline in the authorization request, then exchange the code.',
		from: 'authorization'
	},
	token: { text: 'token is empty. The response to a token request has one.', from: 'authorization' },
	subject_token: { text: 'subject_token is empty. The response to a code exchange has one.', from: 'exchange' },
	Authorization: { text: 'The access token is missing. The response to a code exchange has one.', from: 'exchange' },
	record_id: { text: 'record_id is empty. The list has the ids.', from: 'records' },
	client_secret: { text: 'client_secret is empty. It was shown when the application was registered.' }
};

/** The first value of a request that is still empty. */
export function missingValue({ parameters }: RequestDraft): MissingValue | undefined {
	const empty = parameters.find(
		({ name, value, isOn }) => isOn && Object.hasOwn(hints, name) && /^(?:OAuth )?$/.test(value)
	);
	return empty && hints[empty.name];
}
