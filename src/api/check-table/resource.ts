import { damagedValue, type CheckRows } from './check-row.ts';

export const resourceChecks = {
	'access_token.sent_once': {
		reads: ['Authorization', 'access_token'],
		causes: [
			'bearer_scheme',
			'empty_token',
			'malformed_token',
			'missing_token',
			'oauth_scheme',
			'other_scheme',
			'sent_twice',
			'token_in_query'
		],
		mistakes: ['token_in_query', 'bearer', 'token_twice', 'missing_token']
	},
	'access_token.known': {
		reads: ['Authorization', 'access_token'],
		failed: true,
		causes: damagedValue,
		mistakes: ['expired_token', 'unbound_proof']
	},
	'access_token.not_revoked': { reads: ['Authorization', 'access_token'], failed: true },
	'access_token.owners_exist': {
		reads: ['Authorization', 'access_token'],
		causes: ['account_deleted', 'application_deleted']
	},
	'access_token.for_this_resource': { reads: ['Authorization', 'path'], setBy: 'resource', causes: ['other_resource'] },
	'character.method_is_get': { reads: ['method'], failed: true },
	'character.scope_granted': { reads: ['Authorization', 'access_token'], failed: true },
	'character.name_valid': { reads: ['name'], failed: true },
	'character.not_a_test_card': { reads: ['name'], responds: 'error', causes: ['simulated_error', 'too_many_delayed'] },
	'character.exists': {
		reads: ['name'],
		responds: true,
		failed: true,
		causes: ['encoded_twice', 'plus_as_space'],
		mistakes: ['name_in_lower_case']
	},
	'records.method_allowed': { reads: ['method'], failed: true },
	'records.scope_granted': {
		reads: ['Authorization', 'access_token'],
		failed: true,
		causes: ['no_user'],
		mistakes: ['no_permission']
	},
	'records.query_valid': { reads: ['query'], failed: true, mistakes: ['unknown_filter', 'long_page'] },
	'records.listed': { responds: true, cannotFail: true },
	'records.exists': { reads: ['name'], responds: true, failed: true, mistakes: ['unknown_id'] },
	'records.body_valid': {
		reads: ['Content-Type', 'body'],
		failed: true,
		causes: ['not_json'],
		mistakes: ['unknown_field', 'form_body']
	},
	'records.created': { responds: true, failed: true },
	'userinfo.method_allowed': { reads: ['method'], failed: true },
	'userinfo.scope_granted': { reads: ['Authorization'], failed: true, causes: ['no_user'] },
	'userinfo.returned': { responds: true, cannotFail: true },
	'ratelimits.method_is_get': { reads: ['method'], failed: true },
	'ratelimits.returned': { reads: ['address'], responds: true, cannotFail: true },
	'ratelimiting.method_is_get': { reads: ['method'], failed: true },
	'ratelimiting.not_polled_too_often': { reads: ['address'], failed: true },
	'ratelimiting.returned': { reads: ['address'], responds: true, cannotFail: true }
} as const satisfies CheckRows;
