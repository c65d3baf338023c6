import type { OwnProviderFile } from '#api/world/provider.ts';

/** An API with other errors and limits than the standards have, for an instructor or partner to change. */
export const exampleProvider: OwnProviderFile = {
	title: 'Example Bank',
	dialect: {
		endpoints: [
			{ kind: 'authorize', url: 'https://login.bank.example/oauth/authorize' },
			{ kind: 'token', url: 'https://login.bank.example/oauth/token' },
			{
				kind: 'api',
				url: 'https://api.bank.example/v1/me',
				body: { customer: '{username}', name: '{user_name}' }
			}
		],
		authentication: ['post'],
		pkce: 'optional',
		lifetimes: { accessToken: 900 },
		errors: {
			token: {
				status: 422,
				body: { code: '{error}', message: '{error_description}' }
			}
		},
		rateLimit: {
			requests: 100,
			window: 3600,
			status: 403,
			headers: { 'x-bank-remaining': '{remaining}' },
			body: { code: 'too_many_requests' }
		}
	},
	surprises: [
		{
			title: 'Errors have status 422',
			why: 'A client that expects 400 takes the error for another one.',
			fact: 'errors.token.status',
			check: 'provider.error_status',
			send: { situation: 'used_code' },
			expect: { status: 422, contains: ['"code":"invalid_grant"'] }
		},
		{
			title: 'Limits respond with 403',
			why: 'A client that waits only at 429 never waits.',
			fact: 'rateLimit.status',
			check: 'provider.limit_response',
			send: { situation: 'over_limit' },
			expect: { status: 403, headers: { 'x-bank-remaining': '0' }, contains: ['too_many_requests'] }
		}
	],
	notSimulated: ['payments']
};
