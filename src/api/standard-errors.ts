/** The error codes that only the dialect of today's standards has. `serviceErrors` has their type. */
export const standardErrors = {
	// RFC 6749, section 5.2
	unauthorized_client: {
		status: 400,
		title: 'Grant not allowed',
		cause: 'The application may not use this `grant_type`: it is for clients that keep a secret.',
		fix: 'Register a web application, or sign a user in.',
		section: '7',
		action: 'none'
	},
	// RFC 8628, section 3.5
	authorization_pending: {
		status: 400,
		title: 'Authorization pending',
		cause: 'The user has not entered the code of the device, or has not decided yet.',
		fix: 'Send the same request again after `interval` seconds.',
		section: '7',
		action: 'wait'
	},
	slow_down: {
		status: 400,
		title: 'Polling too fast',
		cause: 'The device sent its request before the interval had passed.',
		fix: 'Wait 5 seconds longer than before, for all further requests.',
		section: '7',
		action: 'wait'
	},
	expired_token: {
		status: 400,
		title: 'Device code expired',
		cause: 'The user did not decide in time.',
		fix: 'Stop polling. Ask for new codes when the user wants to try again.',
		section: '7',
		action: 'none'
	},
	// RFC 9449, sections 5 and 8
	invalid_dpop_proof: {
		status: 400,
		title: 'Invalid DPoP proof',
		cause: 'The header `DPoP` is missing, or its proof is not for this request, too old, or used before.',
		fix: 'Sign a new proof for each request, with its method and URL.',
		section: '7',
		action: 'none'
	},
	use_dpop_nonce: {
		status: 400,
		title: 'DPoP nonce required',
		cause: 'The DPoP proof has no nonce of the service, or an old one.',
		fix: 'Send the request again, with a new proof that has the nonce of `DPoP-Nonce`.',
		section: '7',
		action: 'retry'
	},
	// OpenID Connect Core 1.0, section 3.1.2.6
	login_required: {
		status: 403,
		redirect: 'only',
		title: 'Sign-in required',
		cause: 'A request with `prompt=none` found no user who is signed in, or the sign-in is older than `max_age`.',
		fix: 'Send the user to the authorization endpoint without `prompt=none`.',
		section: '7',
		action: 'sign-in'
	},
	consent_required: {
		status: 403,
		redirect: 'only',
		title: 'Consent required',
		cause: 'A request with `prompt=none` asked for more than the user has granted.',
		fix: 'Send the user to the authorization endpoint without `prompt=none`.',
		section: '7',
		action: 'sign-in'
	},
	interaction_required: {
		status: 403,
		redirect: 'only',
		title: 'Interaction required',
		cause: 'A request with `prompt=none` needs a page: the application is installed, or the request is no navigation.',
		fix: 'Send the user to the authorization endpoint without `prompt=none`.',
		section: '7',
		action: 'sign-in'
	},
	request_not_supported: {
		status: 400,
		redirect: 'only',
		title: 'Request object not supported',
		cause: 'The request has the parameter `request`, which this service does not read.',
		fix: 'Send the parameters in the query, without `request`.',
		section: '7',
		action: 'none'
	},
	// RFC 9126, RFC 9101, section 7
	invalid_request_uri: {
		status: 400,
		title: 'Invalid request URI',
		cause: 'The `request_uri` is unknown, was used, has expired, or belongs to another application.',
		fix: 'Push the request again, and use the new `request_uri` once, at once.',
		section: '7',
		action: 'none'
	},
	request_uri_not_supported: {
		status: 400,
		redirect: 'only',
		title: 'Request URI not supported',
		cause: '`request_uri` is the address of a request object, which this service does not read.',
		fix: 'Push the request and send the `request_uri` of the response, or send the parameters in the query.',
		section: '7',
		action: 'none'
	},
	registration_not_supported: {
		status: 400,
		redirect: 'only',
		title: 'Registration parameter not supported',
		cause: 'The request has the parameter `registration`, which this service does not read.',
		fix: 'Register the client before, and leave `registration` out.',
		section: '7',
		action: 'none'
	},
	// RFC 8707, section 2
	invalid_target: {
		status: 400,
		redirect: 'also',
		title: 'Invalid resource',
		cause:
			'A value of `resource` is no absolute URI, or has a fragment. Or a token request names one that the authorization request did not.',
		fix: 'Send the URL of the resource in both requests, or leave `resource` out.',
		section: '7',
		action: 'none'
	},
	// RFC 7591, section 3.2.2
	invalid_redirect_uri: {
		status: 400,
		title: 'Invalid redirect URI',
		cause: 'A client that registers itself sent a redirect URI that is not allowed.',
		fix: 'Send HTTPS, loopback or private-use URIs without a fragment and without parameters of responses.',
		section: '5',
		action: 'none'
	},
	invalid_client_metadata: {
		status: 400,
		title: 'Invalid client metadata',
		cause: 'A client that registers itself sent metadata that is malformed or not supported.',
		fix: 'Correct the field that the description names.',
		section: '5',
		action: 'none'
	}
} as const;
