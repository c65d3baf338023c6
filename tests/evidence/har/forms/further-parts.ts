import {
	authorize,
	begin,
	callback,
	exchange,
	query,
	redirect_uri,
	rejected,
	signInPage,
	state,
	token
} from './form.ts';

/** A call of a server with the token. */
export const call = (url: string, status: number, body: object | string, more: object = {}) => ({
	at: 12,
	url,
	status,
	headers: { authorization: `Bearer ${token}`, 'user-agent': 'node' },
	body,
	...more
});
/** A sign-in that works, up to its token. */
export const signedInAt = [begin(), authorize(), callback(), exchange()];
/** A sign-in whose redirect brings an error. */
export const denied = (fields: Record<string, string>) => {
	const location = `${redirect_uri}?${query({ ...fields, state })}`;
	return [
		begin(),
		signInPage(),
		authorize({ at: 9, location }),
		callback({ url: location, status: 200, location: '', html: '<p>canary</p>' })
	];
};
/** A sign-in whose token request is rejected. */
export const failedExchange = (status: number, body: object | string, more: object = {}) => [
	begin(),
	authorize(),
	callback({ status: 502, location: '', html: '<p>canary</p>', at: 11 }),
	rejected(status, body, { at: 10.5, ...more })
];
/** A refresh that is rejected. */
export const refresh = (status: number, body: object) =>
	rejected(
		status,
		body,
		{ at: 5000 },
		{
			grant_type: 'refresh_token',
			refresh_token: 'canaryR3fresh9hB2kQ',
			code: undefined,
			redirect_uri: undefined,
			code_verifier: undefined
		}
	);
