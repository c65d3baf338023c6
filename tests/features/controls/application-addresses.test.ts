import { expect, test } from 'vitest';
import { ApplicationAddress } from '#features/controls/application-addresses.svelte.ts';
import { startControlService } from '../../client/control-api/control-service.ts';

async function open() {
	const { api } = startControlService();
	const read = () => api.request('GET /control/applications/{client_id}', { path: { client_id: 'character-viewer' } });
	return { api, read, field: new ApplicationAddress(api, await read()) };
}

test('an address is saved as the service stores it, and taken back', async () => {
	const { api, read, field } = await open();
	field.text = ' 2001:DB8::7 ';
	expect(await field.form.run(field.save)).toBe(true);
	const { address } = await read();
	expect(address).toMatch(/^2001:db8::7$/i);
	expect([field.text, field.saved]).toEqual([address, address]);
	expect(new ApplicationAddress(api, await read())).toMatchObject({ text: address, saved: address });
	field.text = '';
	await field.form.run(field.save);
	expect([(await read()).address, field.saved]).toEqual([undefined, '']);
});

test('an address outside the ranges is an error at its field, and is not saved', async () => {
	const { read, field } = await open();
	field.text = '198.51.100.7';
	expect(await field.form.run(field.save)).toBe(false);
	expect(field.form.errorOf('address')).not.toBe('');
	expect([field.saved, (await read()).address]).toEqual(['', undefined]);
});
