import type { ProviderHar } from './provider-har.ts';

const files = import.meta.glob<ProviderHar>(
	['../../../content/providers/*.yaml', '!../../../content/providers/{specification,standard}.yaml'],
	{ eager: true, import: 'default', query: '?har' }
);

/** What the files of all simulated providers say of recordings. */
export const providerHars: readonly (ProviderHar & { readonly name: string })[] = Object.entries(files).map(
	([path, har]) => ({ ...har, name: path.replace(/^.*\/|\.yaml$/g, '') })
);

/**
 * What errors of providers mean, where their names say less than the provider documents, and no file of `src/content/providers` has
 * them. Pure data: a provider for each block, with the public source of its rows and the day on which it was read. Each row has the id
 * of a cause and the literal names.
 */
const table = `
# Microsoft Entra ID | https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes | 2026-11-29
cause.redirect_uri AADSTS50011 AADSTS70004 AADSTS900971
cause.client AADSTS700016 AADSTS700011 AADSTS70001 AADSTS70002 AADSTS7000218 AADSTS7000222 AADSTS700025 AADSTS700027
cause.client AADSTS7000112 AADSTS50012
cause.grant AADSTS70000 AADSTS70008 AADSTS700082 AADSTS700084 AADSTS50173 AADSTS70043 AADSTS700005
cause.pkce AADSTS501481
cause.pkce_required AADSTS50147 AADSTS501491
cause.scope AADSTS28002 AADSTS28003 AADSTS700022 AADSTS700023 AADSTS650057 AADSTS500011 AADSTS50001
cause.consent AADSTS65001 AADSTS90094 AADSTS90095 AADSTS90008 AADSTS650056 AADSTS9002341
cause.denied AADSTS65004
cause.sign_in_expired AADSTS50089
cause.session AADSTS50058 AADSTS50132 AADSTS50133
cause.interaction AADSTS50072 AADSTS50074 AADSTS50076 AADSTS50078 AADSTS50079 AADSTS50158 AADSTS700020 AADSTS53004
cause.account AADSTS50020 AADSTS16000 AADSTS16003 AADSTS50034 AADSTS50014 AADSTS51004 AADSTS90072 AADSTS50057 AADSTS50053 AADSTS50055
cause.account AADSTS50105 AADSTS53000 AADSTS53001 AADSTS53002 AADSTS53003 AADSTS530032 AADSTS530035 AADSTS53011 AADSTS50131 AADSTS500212
cause.account AADSTS500213 AADSTS500021 AADSTS500022 AADSTS500208
cause.tenant AADSTS50194 AADSTS90002 AADSTS9001023 AADSTS90124 AADSTS90130 AADSTS9002332
cause.grant_type AADSTS700054 AADSTS70003 AADSTS70005
cause.rate_limit AADSTS90055 AADSTS50196
cause.request AADSTS90014 AADSTS9002313
# Microsoft Entra ID | https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/5196 | 2026-11-29
cause.spa AADSTS9002326
# Google | https://support.google.com/accounts/answer/16668185 | 2026-11-29
cause.account admin_policy_enforced access_not_configured
# Google | https://github.com/googlesamples/google-services/issues/404 | 2026-11-29
cause.account org_internal
# Google | https://github.com/google/skicka/issues/145 | 2026-11-29
cause.client deleted_client
# Google | https://github.com/microsoft/aad_b2c_webview/issues/37 | 2026-11-29
cause.embedded_browser disallowed_useragent
# Google | https://github.com/googleapis/google-auth-library-nodejs/issues/1961 | 2026-11-30
cause.interaction invalid_rapt
# LinkedIn | https://github.com/yiisoft/yii2-authclient/pull/250 | 2026-11-29
cause.denied user_cancelled_login user_cancelled_authorize
# GitHub | https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-authorization-request-errors | 2026-11-29
cause.client application_suspended
# Slack | https://docs.slack.dev/reference/methods/auth.test | 2026-11-30
cause.missing_scope missing_scope
cause.rate_limit ratelimited
cause.token_rejected account_inactive token_expired token_revoked
# Amazon Cognito | https://github.com/aws-amplify/amplify-js/issues/5127 | 2026-11-29
cause.redirect_uri redirect_mismatch
# Salesforce | https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_flow_errors.htm | 2026-11-29
cause.denied access-denied
# Auth0 | https://auth0.com/docs/libraries/error-messages | 2026-11-29
cause.interaction mfa_required mfa_registration_required
# Keycloak | https://github.com/keycloak/keycloak/pull/28595 | 2026-11-29
cause.sign_in_expired authentication_expired
# Twitch | https://github.com/offish/twitchtube/issues/7 | 2026-11-29
cause.redirect_uri redirect_mismatch
# EVE Online | https://developers.eveonline.com/docs/services/esi/rate-limiting/ | 2026-11-29
cause.rate_limit status/420
# Meta | https://developers.facebook.com/docs/graph-api/guides/error-handling | 2026-11-29
cause.rate_limit OAuthException/4 OAuthException/17 OAuthException/341
cause.missing_scope OAuthException/10
cause.grant OAuthException/190 OAuthException/102
`;

/** A fact about an error: who sends it under which name, its cause, the public source, and the day on which it was read. */
export type ProviderError = Readonly<Record<'provider' | 'name' | 'cause' | 'source' | 'read', string>>;

/** Those of no file, in the order of the table. */
const listed = table
	.split('\n# ')
	.slice(1)
	.flatMap((block) => {
		const [head = '', ...rows] = block.trim().split('\n');
		const [provider = '', source = '', read = ''] = head.split(' | ');
		return rows.flatMap((row) => {
			const [cause = '', ...names] = row.split(' ');
			return names.map((name) => ({ provider, source, read, cause, name }));
		});
	});

/** All facts: those of the files first. */
export const providerErrors: readonly ProviderError[] = [
	...providerHars.flatMap(({ owner: provider, errors }) =>
		errors.map(({ name, cause, source: { url: source, read } }) => ({ provider, name, cause, source, read }))
	),
	...listed
];

const causes = new Map(providerErrors.map(({ name, cause }) => [name, cause]));

/**
 * The cause that a provider documents for one of some names. Undefined: none is known.
 * @param isCall whether the names are those of a call, whose token may be rejected
 */
export const documentedCause = (names: readonly string[], isCall = false): string | undefined =>
	names
		.map((name) => causes.get(name))
		.find((cause) => cause !== undefined && (isCall || cause !== 'cause.token_rejected'));
