import { expect, test } from 'vitest';
import { ApplicationForm } from '#features/console/application-form.svelte.ts';
import { ControlError } from '#client/control-api/control-api.ts';
import { startControlService } from '../../client/control-api/control-service.ts';

test('the form of an application has its values, and changes them at the service', async () => {
	const { api } = startControlService();
	const redirect_uris = ['https://a.example/cb', 'https://b.example/cb'];
	const { client_id } = await api.request('POST /control/applications', {
		body: { name: 'One', kind: 'web', redirect_uris }
	});
	const form = ApplicationForm.of(await api.request('GET /control/applications/{client_id}', { path: { client_id } }));
	expect([form.name, form.kind, form.redirectUris.fields]).toEqual(['One', 'web', redirect_uris]);
	form.name = ' Two ';
	form.redirectUris.remove(0);
	form.logoutUris.add();
	form.logoutUris.fields[0] = 'https://b.example/bye';
	await api.request('PATCH /control/applications/{client_id}', { path: { client_id }, body: form.valuesIn(true) });
	expect(await api.request('GET /control/applications/{client_id}', { path: { client_id } })).toMatchObject({
		name: 'Two',
		redirect_uris: ['https://b.example/cb'],
		post_logout_redirect_uris: ['https://b.example/bye']
	});
	form.logoutUris.remove(0);
	await api.request('PATCH /control/applications/{client_id}', { path: { client_id }, body: form.valuesIn(true) });
	const removed = await api.request('GET /control/applications/{client_id}', { path: { client_id } });
	expect(removed).not.toHaveProperty('post_logout_redirect_uris');
});

test('an installed application has its own redirect URIs in the dialect of today’s standards', async () => {
	const { api } = startControlService();
	await api.request('PATCH /control/settings', { body: { dialect: 'standard' } });
	const form = new ApplicationForm();
	form.name = 'One';
	form.kind = 'installed';
	form.redirectUris.fields[0] = 'com.example.app:/callback';
	const created = await api.request('POST /control/applications', {
		body: { kind: 'installed', ...form.valuesIn(true) }
	});
	expect(created.redirect_uris).toEqual(['com.example.app:/callback']);
	form.redirectUris.remove(0);
	const { client_id } = created;
	await api.request('PATCH /control/applications/{client_id}', { path: { client_id }, body: form.valuesIn(true) });
	const { redirect_uris } = await api.request('GET /control/applications/{client_id}', { path: { client_id } });
	expect(redirect_uris).toEqual(['urn:ietf:wg:oauth:2.0:oob', 'http://localhost']);
});

test('an edit does not change the application that the form was made of', () => {
	const redirect_uris = ['https://a.example/cb'];
	const form = ApplicationForm.of({ client_id: 'x', name: 'One', kind: 'web', registered: 0, redirect_uris });
	form.redirectUris.fields[0] = 'https://b.example/cb';
	expect(redirect_uris).toEqual(['https://a.example/cb']);
});

test('one field of a redirect URI stays, and ten are the most', () => {
	const form = new ApplicationForm();
	form.redirectUris.fields[0] = 'https://a.example/cb';
	form.redirectUris.remove(0);
	expect(form.redirectUris.fields).toEqual(['']);
	for (let count = 1; count < 10; count++) {
		expect(form.redirectUris.canAdd).toBe(true);
		form.redirectUris.add();
	}
	expect([form.redirectUris.fields.length, form.redirectUris.canAdd]).toEqual([10, false]);
});

test('empty fields at the end are not sent, so that errors keep their field', () => {
	const form = new ApplicationForm();
	form.redirectUris.fields = ['', ' https://a.example/cb ', '', ' '];
	expect(form.redirectUris.values).toEqual(['', 'https://a.example/cb']);
});

test('an installed application of the specification sends no URIs', () => {
	const form = new ApplicationForm();
	form.redirectUris.fields = ['https://a.example/cb'];
	form.kind = 'installed';
	expect(form.valuesIn(false)).toEqual({ name: '' });
});

test.each([
	['redirect_uris.9', 9],
	['redirect_uris.1', 1],
	['redirect_uris', 0],
	['post_logout_redirect_uris.1', 1]
])('an error of %s is at the field with the index %i', async (field, index) => {
	const form = new ApplicationForm();
	await form.form.run(() => Promise.reject(new ControlError('invalid_request', 'Wrong.', 400, field)));
	const list = field.startsWith('post') ? form.logoutUris : form.redirectUris;
	const wrong = Array.from({ length: 10 }, (_, at) => list.errorOf(at)).flatMap((text, at) =>
		text === '' ? [] : [at]
	);
	expect([wrong, form.form.error]).toEqual([[index], undefined]);
});

test('reads public keys, one key alone too, and says what is wrong with others', () => {
	const form = new ApplicationForm();
	expect(form.readKeys()).toBeNull();
	const key = { kty: 'EC', crv: 'P-256', x: 'a', y: 'b', kid: 'k1' } as const;
	for (const text of [JSON.stringify(key), JSON.stringify({ keys: [key] })]) {
		form.jwks = text;
		expect(form.readKeys()).toEqual({ keys: [key] });
	}
	form.jwks = '{ no JSON';
	expect(form.readKeys()).toBeUndefined();
	expect(form.form.errorOf('jwks')).toContain('JWKS');
	form.jwks = JSON.stringify({ ...key, d: 'secret' });
	expect(form.readKeys()).toBeUndefined();
	expect(form.form.errorOf('jwks')).toContain('public keys only');
});
