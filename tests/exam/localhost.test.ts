import { expect, it } from 'vitest';
import { Browser } from '#exam/browser.ts';

const browser = (opensLocalhost: boolean) =>
	new Browser({
		baseUrl: 'https://tollgate.test',
		origins: [],
		opensLocalhost,
		fetch: async () => new Response('done'),
		now: () => 0
	});

it('opens any port of localhost for an installed client only', async () => {
	const url = 'http://localhost:46435/?code=c';
	expect((await browser(true).open(url)).text).toBe('done');
	await expect(browser(false).open(url)).rejects.toThrow('http://localhost:46435');
	await expect(browser(true).open('http://localhost.example/')).rejects.toThrow('http://localhost.example');
});
