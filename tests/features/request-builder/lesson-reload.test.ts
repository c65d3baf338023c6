import { expect, test } from 'vitest';
import { valueOf } from '#features/request-builder/draft.ts';
import { Tab } from './builder-tab.ts';

test('keeps codes and tokens over a reload in a lesson', async () => {
	const tab = new Tab();
	const first = await tab.open(true);
	await first.addPkce();
	const code = await tab.authorize(first);
	first.save();
	const second = await tab.open(true);
	expect(valueOf(second.drafts.exchange, 'code')).toBe(code);
	await second.send();
	expect(second.result?.responses.at(-1)?.status).toBe(200);
	second.save();
	const third = await tab.open(true);
	third.choose('character');
	await third.send();
	expect(third.result?.responses.at(-1)?.status).toBe(200);
});

test('a new pair after a reload leaves the verifier of a code that has arrived', async () => {
	const tab = new Tab();
	const first = await tab.open(true);
	await first.addPkce();
	await tab.authorize(first);
	first.save();
	const second = await tab.open(true);
	await second.renewPkce();
	await second.send();
	expect(second.result?.responses.at(-1)?.status).toBe(200);
	second.choose('authorization');
	await tab.authorize(second);
	await second.send();
	expect(second.result?.responses.at(-1)?.status, 'the next sign-in').toBe(200);
});

test('knows the page for the codes of a device after a reload in a lesson', async () => {
	const tab = new Tab();
	await tab.service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const first = await tab.open(true);
	first.choose('device_authorization');
	await first.send();
	first.save();
	expect((await tab.open(true)).verificationUrl).toMatch(/\/device\?user_code=/);
});
