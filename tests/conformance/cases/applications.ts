import { equal, fieldsOf, lacks, matches } from '../assert.ts';
import { testCase, hostCase, type Case } from '../case.ts';
import type { Sandbox } from '../sandbox.ts';

/** CN-03 to CN-05: registering and changing applications. */
export const applicationCases: Case[] = [
	testCase('CN-03 shows a secret once, and rotation ends the old one at once', async (at) => {
		const { client_id, client_secret, redirect_uri } = await at.register('web', ['https://client.example/cb']);
		const user = at.user();
		const { refresh_token } = await user.offline({ client_id, client_secret, redirect_uri });
		const rotated = await at.controlled('POST', `applications/${client_id}/secret`);
		const next = String(fieldsOf(rotated.json()).client_secret);
		matches(next, /^[\w-]{43}$/);
		for (const path of ['applications', `applications/${client_id}`, 'snapshot', 'traffic', 'credentials']) {
			const { text } = await at.control('GET', path);
			for (const secret of [client_secret, next]) lacks(text, secret, path);
		}
		const [old, current] = [client_secret, next].map((secret) => ({ client_id, client_secret: secret, redirect_uri }));
		equal((await at.refresh(refresh_token, old)).error, 'invalid_client');
		equal((await at.refresh(refresh_token, current)).status, 200);
	}),
	hostCase('CN-04 HT-11 rejects redirect URIs that cannot be registered, and names the field', async (at) => {
		const wrong = [
			'javascript:alert(1)',
			'data:text/html,x',
			'/cb',
			'cb',
			'',
			'https://',
			'https:///cb',
			'ftp://x.example/',
			'https://x.example/#f',
			'https://x.example/#',
			'https://*.example/',
			'https://x.example/*',
			'https://a@x.example/',
			'https://x.example/\r\nX: y',
			'https://x.example/\u0000',
			'https://x.example/é',
			'https://exämple.test/',
			'https://x.example\\cb',
			'https://x.example/"',
			'https://x.example/<',
			'https://x.example/%zz',
			'https://x example/',
			`https://x.example/${'x'.repeat(10_000)}`,
			// A Content Security Policy cannot name an IPv6 address.
			'http://[::2]:3000/cb',
			'https://[::1]:3000/cb',
			'https://app.example:99999/cb',
			'https://app.example/cb?a=1&state=x',
			'https://app.example/cb?%63ode=x',
			'https://[2001:db8::1]/cb'
		];
		for (const uri of wrong) {
			const json = { name: 'x', kind: 'web', redirect_uris: ['https://x.example/cb', uri] };
			const response = await at.control('POST', 'applications', json);
			equal([response.status, fieldsOf(response.json()).field], [400, 'redirect_uris.1'], uri.slice(0, 60));
		}
		const none = { name: 'x', kind: 'web', redirect_uris: [] };
		equal((await at.control('POST', 'applications', none)).status, 400);
		const many = Array.from({ length: 11 }, (_, at) => `https://x.example/${at}`);
		equal((await at.control('POST', 'applications', { ...none, redirect_uris: many })).status, 400);
		const plain = await at.controlled('POST', 'applications', { ...none, redirect_uris: ['http://x.example/cb'] });
		matches(plain.text, 'uses HTTP', 'allowed, with a warning');
		const fixed = ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost'];
		equal((await at.register('installed', fixed)).redirect_uri, fixed[0]);
		const own = { name: 'x', kind: 'installed', redirect_uris: ['https://x.example/cb'] };
		equal((await at.control('POST', 'applications', own)).status, 400, 'an installed application has fixed ones');
	}),
	testCase('CN-04 warns of insecure redirect URIs at registration, rotation and in the details', async (at) => {
		const { client_id } = await at.register('web', ['http://x.example/cb', 'https://x.example/cb']);
		const responses = [
			await at.controlled('GET', `applications/${client_id}`),
			await at.controlled('POST', `applications/${client_id}/secret`)
		];
		for (const response of responses) {
			const { warnings } = fieldsOf(response.json());
			equal(Array.isArray(warnings) && warnings.length, 1);
			matches(String(warnings), /^http:\/\/x\.example\/cb uses HTTP/);
		}
	}),
	testCase('CN-04 changes name, redirect URIs and address, each on its own', async (at) => {
		const { client_id } = await at.register('web', ['https://x.example/cb'], 'Before');
		const path = `applications/${client_id}`;
		const change = async (body: object) => fieldsOf((await at.controlled('PATCH', path, body)).json());
		const renamed = await change({ name: ' After ' });
		equal([renamed.name, renamed.redirect_uris], ['After', ['https://x.example/cb']]);
		const moved = await change({ redirect_uris: ['https://x.example/new'] });
		equal([moved.name, moved.redirect_uris], ['After', ['https://x.example/new']]);
		equal((await change({ address: '192.0.2.7' })).address, '192.0.2.7');
		equal((await change({ name: 'Again' })).address, '192.0.2.7');
		equal((await change({ address: null })).address, undefined);
		const wrong: [body: object, field: string][] = [
			[{ name: '' }, 'name'],
			[{ name: '   ' }, 'name'],
			[{ name: 'x'.repeat(81) }, 'name'],
			[{ redirect_uris: [] }, 'redirect_uris'],
			[{ redirect_uris: ['https://x.example/', 'https://x.example/#f'] }, 'redirect_uris.1'],
			[{ address: '10.0.0.1' }, 'address'],
			[{ address: '192.0.2.999' }, 'address'],
			[{ address: '2001:db8:::1' }, 'address']
		];
		const before = await detailsOf(at, client_id);
		for (const [body, field] of wrong) {
			const response = await at.control('PATCH', path, body);
			equal([response.status, fieldsOf(response.json()).field], [400, field], JSON.stringify(body).slice(0, 80));
		}
		equal(await detailsOf(at, client_id), before, 'nothing changed');
	}),
	testCase('CN-05 rejects fields that the console API does not name', async (at) => {
		const { client_id } = await at.register('web', ['https://x.example/cb']);
		const before = await detailsOf(at, client_id);
		for (const field of [
			'owner',
			'sandbox',
			'client_id',
			'client_secret',
			'isAdmin',
			'scopes',
			'registered',
			'__proto__'
		]) {
			const body = fieldsOf(JSON.parse(`{"name":"x","${field}":"x"}`));
			equal((await at.control('PATCH', `applications/${client_id}`, body)).status, 400, field);
			const json = { ...body, kind: 'installed' };
			equal((await at.control('POST', 'applications', json)).status, 400, field);
		}
		equal(await detailsOf(at, client_id), before, 'nothing changed');
	}),
	testCase('counts what is deleted with an application', async (at) => {
		const app = await at.register('web', ['https://x.example/cb']);
		const counts = async () => {
			const { grants, codes, access_tokens, refresh_tokens } = fieldsOf(await detailsOf(at, app.client_id));
			return [grants, codes, access_tokens, refresh_tokens];
		};
		equal(await counts(), [0, 0, 0, 0]);
		const user = at.user();
		const { refresh_token } = await user.offline(app);
		await at.refresh(refresh_token, app);
		await user.code(app);
		await at.user().offline();
		equal(await counts(), [1, 1, 2, 1]);
		await at.advance(601);
		equal(await counts(), [1, 0, 2, 1], 'the code has expired');
		await user.revoke(app.client_id);
		equal(await counts(), [0, 0, 0, 0]);
		equal((await at.control('GET', 'applications/unknown')).status, 404);
	})
];

async function detailsOf(at: Sandbox, client_id: string): Promise<unknown> {
	return (await at.controlled('GET', `applications/${client_id}`)).json();
}
