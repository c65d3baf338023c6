import { expect, test } from 'vitest';
import { ApplicationForm } from '#features/console/application-form.svelte.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import { startControlService } from '../../client/control-api/control-service.ts';

test('the form of an application has its values, and changes them at the service', async () => {
	const { api } = startControlService();
	const redirect_uris = ['https://a.example/cb', 'https://b.example/cb'];
	const { client_id } = await api.request('POST /control/applications', {
		body: { name: 'One', kind: 'web', redirect_uris }
	});
	const form = ApplicationForm.of(await api.request('GET /control/applications/{client_id}', { path: { client_id } }));
	expect([form.name, form.kind, form.redirectUris]).toEqual(['One', 'web', redirect_uris]);
	form.name = ' Two ';
	form.remove(0);
	await api.request('PATCH /control/applications/{client_id}', { path: { client_id }, body: form.values });
	expect(await api.request('GET /control/applications/{client_id}', { path: { client_id } })).toMatchObject({
		name: 'Two',
		redirect_uris: ['https://b.example/cb']
	});
});

test('an edit does not change the application that the form was made of', () => {
	const redirect_uris = ['https://a.example/cb'];
	const form = ApplicationForm.of({ client_id: 'x', name: 'One', kind: 'web', registered: 0, redirect_uris });
	form.redirectUris[0] = 'https://b.example/cb';
	expect(redirect_uris).toEqual(['https://a.example/cb']);
});

test('one field of a redirect URI stays, and ten are the most', () => {
	const form = new ApplicationForm();
	form.redirectUris[0] = 'https://a.example/cb';
	form.remove(0);
	expect(form.redirectUris).toEqual(['']);
	for (let count = 1; count < 10; count++) {
		expect(form.canAdd).toBe(true);
		form.add();
	}
	expect([form.redirectUris.length, form.canAdd]).toEqual([10, false]);
});

test('empty fields at the end are not sent, so that errors keep their field', () => {
	const form = new ApplicationForm();
	form.redirectUris = ['', ' https://a.example/cb ', '', ' '];
	expect(form.values.redirect_uris).toEqual(['', 'https://a.example/cb']);
});

test('an installed application sends no redirect URIs', () => {
	const form = new ApplicationForm();
	form.redirectUris = ['https://a.example/cb'];
	form.kind = 'installed';
	expect(form.values.redirect_uris).toEqual([]);
});

test.each([
	['redirect_uris.9', 9],
	['redirect_uris.1', 1],
	['redirect_uris', 0]
])('an error of %s is at the field with the index %i', async (field, index) => {
	const form = new ApplicationForm();
	await form.form.run(() => Promise.reject(new ControlError('invalid_request', 'Wrong.', 400, field)));
	const wrong = Array.from({ length: 10 }, (_, at) => form.errorOf(at)).flatMap((text, at) =>
		text === '' ? [] : [at]
	);
	expect([wrong, form.form.error]).toEqual([[index], undefined]);
});
