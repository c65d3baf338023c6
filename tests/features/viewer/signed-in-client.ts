import { patterns } from '#client/service-urls.ts';
import { offline, TestBrowser } from '../../client/test-browser.ts';

const path = '/ws/v2.0/character/Mara%20Vell';

/** The client of one tab with a signed-in user, `call` that reads a character, and `set` for the limits of the service. */
export async function openSignedIn(options: Parameters<TestBrowser['signIn']>[1] = offline) {
	const browser = new TestBrowser();
	const { service } = browser;
	const client = await browser.open();
	const { id } = await browser.signIn(client, options);
	const call = () => client.resources.get(path, { tokenSetId: id, pattern: patterns.character });
	const set = (limits: object) => service.control('PATCH', '/control/settings', { limits });
	return { browser, service, client, id, call, set };
}
