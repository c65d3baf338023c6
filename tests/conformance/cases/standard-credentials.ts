import { equal, matches } from '../assert.ts';
import { basic, codeWithPkce, exchangeWithPkce, pkce, standardCase, verifier } from '../standard.ts';
import type { App, Sandbox } from '../sandbox.ts';
import type { TestResponse } from '../response.ts';

const rawSecret = 'z/tZ9+V %:é&=~"100%';
const noGrant = { grant_type: 'refresh_token', refresh_token: 'x' };

/** Gives the web application of the demo world a secret with characters that form-encoding changes. */
async function withSecret(at: Sandbox, client_secret: string): Promise<App> {
	const application = { name: 'Web', kind: 'web', redirect_uris: ['{base_url}/viewer/callback'] };
	const applications = [{ client_id: 'special', secret: client_secret, ...application }];
	await at.controlled('PUT', 'world', { format: 'tollgate-world', version: 1, applications });
	await at.changeSettings({ dialect: 'standard' });
	return { client_id: 'special', client_secret, redirect_uri: '' };
}

function base64(text: string): string {
	return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function sendBasic(at: Sandbox, text: string): Promise<TestResponse> {
	return at.token(noGrant, 'Authorization', `Basic ${base64(text)}`);
}

/** How clients prove who they are, and what else is in their forms. */
export const standardCredentialCases = [
	standardCase('ST-02 a secret that is not form-encoded in the header is named as the cause', async (at) => {
		const { client_id, client_secret } = await withSecret(at, rawSecret);
		equal((await at.token(noGrant, ...basic({ client_id, client_secret }))).error, 'invalid_grant', 'encoded');
		const response = await sendBasic(at, `${client_id}:${client_secret}`);
		equal([response.status, response.error], [401, 'invalid_client']);
		matches(response.text, 'not form-encoded');
		matches(response.header('www-authenticate'), /^Basic /);
		matches(await at.traffic(), '"cause":"not_form_encoded"');
		const wrong = await sendBasic(at, `${client_id}:${client_secret}!`);
		equal(
			[wrong.error, wrong.text.includes('encoded'), wrong.text.includes('missing')],
			['invalid_client', false, false]
		);
	}),
	standardCase('ST-02 a plus that became a space is named as the cause', async (at) => {
		const { client_id } = await withSecret(at, 'plus+and/slash=');
		matches((await sendBasic(at, `${client_id}:plus+and/slash=`)).text, 'not form-encoded');
		equal((await sendBasic(at, `${client_id}:plus%2Band%2Fslash%3D`)).error, 'invalid_grant');
	}),
	standardCase('ST-02 a header that is not base64 of id and secret is called malformed', async (at) => {
		for (const header of ['Basic !!!', 'Basic', 'Basic ', `Basic ${btoa('no-colon')}`, `Basic ${btoa(':secret')}`]) {
			const response = await at.token({ ...noGrant }, 'Authorization', header);
			equal([response.status, response.error], [401, 'invalid_client'], header);
			matches(response.text, 'malformed', header);
			matches(response.header('www-authenticate'), /^Basic /, header);
		}
	}),
	standardCase('ST-02 an empty secret in the header is none', async (at) => {
		const app = { ...at.companion, redirect_uri: 'http://127.0.0.1:50000' };
		const code = await codeWithPkce(at.user(), app);
		const { client_id, redirect_uri } = app;
		const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
		equal((await at.token(form, 'Authorization', `Basic ${btoa(`${client_id}:`)}`)).status, 200);
		const web = await sendBasic(at, 'character-viewer:');
		equal([web.status, web.error], [401, 'invalid_client']);
		matches(web.text, 'missing');
		const both = { ...noGrant, client_secret: 'viewer-secret' };
		equal((await at.token(both, 'Authorization', `Basic ${btoa('character-viewer:')}`)).error, 'invalid_grant');
	}),
	standardCase(
		'ST-03 unknown fields are ignored, also repeated or malformed ones, and known ones are not',
		async (at) => {
			const { client_secret: _, ...fields } = at.viewer;
			const form = (code: string) =>
				new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier, ...fields }).toString();
			const first = form(await codeWithPkce(at.user()));
			equal((await at.token(`${first}&foo=1&foo=2&bar=%`, ...basic(at.viewer))).status, 200);
			const second = form(await codeWithPkce(at.user()));
			equal((await at.token(`${second}&code=x`, ...basic(at.viewer))).error, 'invalid_request');
			equal((await at.token(`${second}&scope=%`, ...basic(at.viewer))).error, 'invalid_request');
			equal((await at.token(second, ...basic(at.viewer))).status, 200, 'the code was left alone');
		}
	),
	standardCase(
		'ST-03 several resources are accepted, and one that is no absolute URI is invalid_target',
		async (at) => {
			const { client_secret: _, ...fields } = at.viewer;
			const resources = 'resource=a%3Ab&resource=https%3A%2F%2Fother.example%2F';
			const query = new URLSearchParams({ response_type: 'code', scope: 'character_read', state: 's', ...pkce });
			for (const [name, value] of Object.entries(fields)) query.set(name, value);
			const asked = await at.user().open(`/ws/oauth2/auth/?${query.toString()}&${resources}`);
			equal(asked.status, 200);
			for (const wrong of [
				'resource=%2Frelative',
				'resource=https%3A%2F%2Fa.example%2F%23part',
				`${resources}&resource=%`
			]) {
				const rejected = await at.user().open(`/ws/oauth2/auth/?${query.toString()}&${wrong}`);
				equal([rejected.parameter('error'), rejected.parameter('state')], ['invalid_target', 's'], wrong);
				equal(await at.failedCheck(rejected), 'auth.resource_is_uri');
			}
			const code = await codeWithPkce(at.user());
			const form = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier, ...fields });
			equal((await at.token(`${form.toString()}&resource=x`, ...basic(at.viewer))).error, 'invalid_target');
			equal((await at.token(`${form.toString()}&${resources}`, ...basic(at.viewer))).status, 200);
		}
	),
	standardCase('ST-03 the specification ignores resource, and rejects repeated fields', async (at) => {
		await at.changeSettings({ dialect: 'specification' });
		const code = await at.user().code(at.viewer, { resource: 'x' });
		equal((await at.exchange(code, at.viewer, { resource: 'x' })).status, 200);
		equal((await exchangeWithPkce(at, 'x')).error, 'invalid_request');
	})
];
