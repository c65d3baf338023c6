import { damagedValue, type CheckRows } from './check-row.ts';

export const resourceChecks = {
	'access_token.sent_once': {
		title: 'One access token was sent, in the query or in the header',
		section: '5.3',
		standard: { section: 'RFC 6750 §2', title: 'One access token was sent, in the header' },
		reads: ['Authorization', 'access_token'],
		causes: {
			bearer_scheme: 'Bearer instead of OAuth',
			empty_token: 'access token empty',
			malformed_token: 'malformed access token',
			missing_token: 'access token missing',
			oauth_scheme: 'OAuth instead of Bearer',
			other_scheme: 'unknown Authorization scheme',
			sent_twice: 'access token sent twice',
			token_in_query: 'access token in the URL'
		}
	},
	'access_token.known': {
		title: 'The access token was issued by this service and has not expired',
		section: '5.4',
		standard: { section: 'RFC 6750 §3.1' },
		reads: ['Authorization', 'access_token'],
		failed: 'unknown or expired access token',
		causes: damagedValue
	},
	'access_token.not_revoked': {
		title: 'The access token was not revoked',
		section: '3.1',
		standard: { section: 'RFC 6750 §3.1' },
		reads: ['Authorization', 'access_token'],
		failed: 'access token revoked'
	},
	'access_token.owners_exist': {
		title: 'The application and the account of the token exist',
		section: '5.3',
		standard: { section: 'RFC 6750 §3.1' },
		reads: ['Authorization', 'access_token'],
		causes: { account_deleted: 'account deleted', application_deleted: 'application deleted' }
	},
	'access_token.for_this_resource': {
		title: 'The access token was issued for this resource',
		section: 'RFC 8707 §2',
		reads: ['Authorization', 'path'],
		setBy: 'resource',
		causes: { other_resource: 'token for another resource' }
	},
	'character.method_is_get': {
		title: 'The method is GET',
		section: '4',
		standard: { section: 'RFC 9110 §9.1', title: 'The method is GET or HEAD' },
		reads: ['method'],
		failed: 'wrong method'
	},
	'character.scope_granted': {
		title: 'The token has a permission for this resource',
		section: '5.6',
		standard: { section: 'RFC 6750 §3.1' },
		reads: ['Authorization', 'access_token'],
		failed: 'permission missing'
	},
	'character.name_valid': {
		title: 'The path ends with one name',
		section: '4',
		standard: 'same',
		reads: ['name'],
		failed: 'malformed name'
	},
	'character.not_a_test_card': {
		title: 'The character is not a test card',
		section: '',
		reads: ['name'],
		responds: 'No response: test card',
		causes: { simulated_error: 'error of a test card', too_many_delayed: 'too many slow requests' }
	},
	'character.exists': {
		title: 'The character exists',
		section: '4',
		standard: 'same',
		reads: ['name'],
		responds: '{resource} returned',
		failed: 'no such {resource}',
		causes: { encoded_twice: 'name encoded twice', plus_as_space: 'plus in place of a space in the name' }
	},
	'records.method_allowed': {
		title: 'The method is GET, or POST for a list that a permission writes',
		section: 'RFC 9110 §9.1',
		reads: ['method'],
		failed: 'wrong method'
	},
	'records.scope_granted': {
		title: 'The token has the permission for this kind, and a user',
		section: '5.6',
		standard: { section: 'RFC 6750 §3.1' },
		reads: ['Authorization', 'access_token'],
		failed: 'permission missing',
		causes: { no_user: 'access token without a user' }
	},
	'records.query_valid': {
		title: 'The query has pages and declared fields only',
		section: 'RFC 9110 §15.5.1',
		reads: ['query'],
		failed: 'malformed query'
	},
	'records.listed': {
		title: 'The records of the signed-in account are returned',
		section: '',
		responds: '{kind} listed',
		cannotFail: true
	},
	'records.exists': {
		title: 'The signed-in account has a record with this id',
		section: 'RFC 9110 §15.5.5',
		reads: ['name'],
		responds: 'Record of {kind} returned',
		failed: 'no such record'
	},
	'records.body_valid': {
		title: 'The body is JSON with declared fields of the right types',
		section: 'RFC 9110 §15.5.1',
		reads: ['Content-Type', 'body'],
		failed: 'malformed field',
		causes: { not_json: 'body is not JSON' }
	},
	'records.created': {
		title: 'The record is stored for the signed-in account',
		section: 'RFC 9110 §15.5.10',
		responds: 'Record of {kind} created',
		failed: 'too many records'
	},
	'userinfo.method_allowed': {
		title: 'The method is GET or POST',
		section: 'OIDC Core §5.3.1',
		reads: ['method'],
		failed: 'wrong method'
	},
	'userinfo.scope_granted': {
		title: 'The token has the scope openid',
		section: 'OIDC Core §5.3',
		reads: ['Authorization'],
		failed: 'openid missing',
		causes: { no_user: 'access token without a user' }
	},
	'userinfo.returned': {
		title: 'The user is returned',
		section: 'OIDC Core §5.3.2',
		responds: 'User returned',
		cannotFail: true
	},
	'ratelimits.method_is_get': {
		title: 'The method is GET',
		section: '4',
		standard: { section: 'RFC 9110 §9.1', title: 'The method is GET or HEAD' },
		reads: ['method'],
		failed: 'wrong method'
	},
	'ratelimits.returned': {
		title: 'The rate limit records of the address are returned',
		section: '2.5',
		standard: 'same',
		reads: ['address'],
		responds: 'Rate limits returned',
		cannotFail: true
	},
	'ratelimiting.method_is_get': {
		title: 'The method is GET',
		section: '8.5',
		standard: { section: 'RFC 9110 §9.1', title: 'The method is GET or HEAD' },
		reads: ['method'],
		failed: 'wrong method'
	},
	'ratelimiting.not_polled_too_often': {
		title: 'The address polls at most 60 times a minute',
		section: '8.5',
		standard: { section: 'RFC 6585 §4' },
		reads: ['address'],
		failed: 'status requested too often'
	},
	'ratelimiting.returned': {
		title: 'The rate limiting status of the address is returned',
		section: '8.5',
		standard: 'same',
		reads: ['address'],
		responds: 'Rate limit status returned',
		cannotFail: true
	}
} as const satisfies CheckRows;
