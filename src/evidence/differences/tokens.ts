import { grants } from '#api/protocol/grant-types.ts';
import type { Difference } from './difference.ts';

const character = 'GET /ws/v2.0/character/{character}' as const;
const oauth = { Authorization: 'OAuth {access_token}' };
const bearer = { Authorization: 'Bearer {access_token}' };
const basic = { Authorization: 'Basic {basic}' };
const secretInForm = { client_id: '{client_id}', client_secret: '{client_secret}' };

/** The grants that only today's standards have. */
const grantDifferences = grants.flatMap(({ type, label, kind, fields, standards, dialect }): Difference[] => {
	if (standards === undefined || dialect !== 'standard') return [];
	const required = Object.entries(fields).filter(([, { isOptional }]) => isOptional !== true);
	const values = required.map(([name, { example = '' }]): [string, string] => [name, example]);
	const { section, why, text, code, begin } = standards;
	const fieldsOfGrant = { grant_type: type, ...Object.fromEntries(values) };
	const request =
		begin === undefined
			? ({ line: 'POST /ws/oauth2/token/', form: { ...fieldsOfGrant, ...secretInForm } } as const)
			: { line: begin.line, form: secretInForm };
	const rejected = { status: 400, contains: ['unsupported_grant_type'] };
	const accepted = { status: 200, contains: ['"access_token"'], lacks: ['refresh_token'] };
	return [
		{
			id: kind,
			title: label,
			source: section.split(' §', 1)[0] ?? section,
			group: 'tokens',
			why,
			change: { text, specification: '// The specification has no such grant.', standard: code },
			specification: { section: '2.3', request, response: begin === undefined ? rejected : { status: 404 } },
			standard: {
				section,
				request,
				response: begin === undefined ? accepted : { status: 200, contains: [begin.contains] }
			}
		}
	];
});

/** How tokens are sent, issued, replaced and ended. */
export const tokenDifferences: readonly Difference[] = [
	{
		id: 'scheme',
		title: 'Token scheme',
		source: 'RFC 6750',
		group: 'tokens',
		why: 'The standard has one scheme, so libraries and gateways know it.',
		change: {
			text: 'Send the scheme that `token_type` of the token response names.',
			specification: 'headers.set("authorization", `OAuth ${access_token}`);',
			standard: 'headers.set("authorization", `Bearer ${access_token}`);'
		},
		specification: { section: '5', request: { line: character, headers: oauth }, response: { status: 200 } },
		standard: {
			section: 'RFC 6750 §2.1',
			request: { line: character, headers: bearer },
			response: { status: 200 }
		}
	},
	{
		id: 'token_in_query',
		title: 'Token in the URL',
		source: 'RFC 9700',
		group: 'tokens',
		why: 'URLs are stored in logs, histories and referrers. Headers are not.',
		change: {
			text: 'Move the token from the URL to the `Authorization` header.',
			specification: 'await fetch(`${resource}?access_token=${access_token}`);',
			standard: 'await fetch(resource, { headers: { authorization: `Bearer ${access_token}` } });'
		},
		specification: {
			section: '5',
			request: { line: `${character}?access_token={access_token}` },
			response: { status: 200 }
		},
		standard: {
			section: 'RFC 9700 §4.3.2',
			request: { line: `${character}?access_token={access_token}` },
			response: { status: 400, contains: ['invalid_request'] }
		}
	},
	{
		id: 'refresh_issued',
		title: 'Refresh token issued',
		source: 'RFC 6749',
		group: 'tokens',
		why: 'The standard leaves it to the server. Most servers send one with each code exchange.',
		change: {
			text: 'Store the refresh token of every response that has one.',
			specification: 'url.searchParams.set("access_type", "offline"); // and keep the token of the first exchange',
			standard: 'if (tokens.refresh_token) await store(tokens.refresh_token);'
		},
		specification: {
			section: '2.4',
			request: {
				line: 'POST /ws/oauth2/token/',
				form: {
					grant_type: 'authorization_code',
					code: '{online_code}',
					redirect_uri: '{redirect_uri}',
					code_verifier: '{code_verifier}',
					...secretInForm
				}
			},
			response: { status: 200, lacks: ['refresh_token'] }
		},
		standard: {
			section: 'RFC 6749 §5.1',
			request: {
				line: 'POST /ws/oauth2/token/',
				form: {
					grant_type: 'authorization_code',
					code: '{online_code}',
					redirect_uri: '{redirect_uri}',
					code_verifier: '{code_verifier}',
					...secretInForm
				}
			},
			response: { status: 200, contains: ['"refresh_token"'] }
		}
	},
	{
		id: 'refresh_rotation',
		title: 'Refresh token rotation',
		source: 'RFC 9700',
		group: 'tokens',
		why: 'Each refresh token works once. A second use shows that it was stolen, and ends the access.',
		change: {
			text: 'Replace the stored refresh token after each refresh, and let one refresh run at a time.',
			specification: 'const { access_token } = await refresh(stored.refresh_token);',
			standard:
				'const { access_token, refresh_token } = await lock("refresh", () => refresh(stored.refresh_token));\nawait store(refresh_token);'
		},
		specification: {
			section: '3.1',
			request: {
				line: 'POST /ws/oauth2/token/',
				form: { grant_type: 'refresh_token', refresh_token: '{refresh_token}', ...secretInForm }
			},
			response: { status: 200, lacks: ['refresh_token'] }
		},
		standard: {
			section: 'RFC 9700 §4.14.2',
			request: {
				line: 'POST /ws/oauth2/token/',
				form: { grant_type: 'refresh_token', refresh_token: '{refresh_token}', ...secretInForm }
			},
			response: { status: 200, contains: ['"refresh_token"'] }
		}
	},
	{
		id: 'revocation',
		title: 'Revocation',
		source: 'RFC 7009',
		group: 'tokens',
		why: 'Logs and browser histories store URLs, but no form of a POST.',
		change: {
			text: 'Send a POST with a form, and authenticate the client. An unknown token gets 200 too.',
			specification: 'await fetch(`${revoke}?token=${token}&client_id=${id}`);',
			standard:
				'await fetch(revoke, {\n  method: "POST", headers: { authorization: basic },\n  body: new URLSearchParams({ token, token_type_hint: "refresh_token" })\n});'
		},
		specification: {
			section: '4',
			request: { line: 'GET /ws/oauth2/revoke?token={refresh_token}&client_id={client_id}' },
			response: { status: 200 }
		},
		standard: {
			section: 'RFC 7009 §2',
			request: {
				line: 'POST /ws/oauth2/revoke',
				headers: basic,
				form: { token: '{refresh_token}', token_type_hint: 'refresh_token' }
			},
			response: { status: 200 }
		}
	},
	{
		id: 'introspection',
		title: 'Introspection',
		source: 'RFC 7662',
		group: 'tokens',
		why: 'A resource server can ask what a token is worth. Clients never read tokens themselves.',
		change: {
			text: 'Ask the introspection endpoint, in place of a test call.',
			specification: 'const isActive = (await fetch(resource, { headers })).status !== 401;',
			standard: 'const { active, scope, exp } = await post(introspect, { token: access_token });'
		},
		specification: {
			section: '4',
			request: { line: 'POST /ws/oauth2/introspect', headers: basic, form: { token: '{access_token}' } },
			response: { status: 404 }
		},
		standard: {
			section: 'RFC 7662 §2',
			request: { line: 'POST /ws/oauth2/introspect', headers: basic, form: { token: '{access_token}' } },
			response: { status: 200, contains: ['"active":true'] }
		}
	},
	{
		id: 'sign_out',
		title: 'Sign-out by the client',
		source: 'OpenID',
		group: 'tokens',
		why: 'Otherwise a user who signed out of the application is still signed in at the service, and the next sign-in asks for no password.',
		change: {
			text: 'Send the browser to `end_session_endpoint`, with the ID token as `id_token_hint`.',
			specification: 'session.destroy(); // the session at the service stays',
			standard:
				'session.destroy();\nresponse.redirect(`${end_session_endpoint}?id_token_hint=${id_token}`\n  + `&post_logout_redirect_uri=${encodeURIComponent(home)}&state=${state}`);'
		},
		specification: {
			section: '4',
			request: { line: 'GET /ws/oauth2/logout?client_id={client_id}' },
			response: { status: 404 }
		},
		standard: {
			section: 'RP-Initiated Logout §2',
			request: { line: 'GET /ws/oauth2/logout?client_id={client_id}' },
			response: { status: 200, contains: ['Signed out'] }
		}
	},
	...grantDifferences
];
