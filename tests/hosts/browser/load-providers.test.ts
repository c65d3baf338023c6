import { beforeEach, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '#store/errors.ts';
import { loadProviders } from '#hosts/browser/load-providers.ts';

const files = { harbor: { short: 'Harbor', version: 1, dialect: {}, surprises: [] } };
beforeEach(() => void vi.stubGlobal('location', { origin: 'https://site.example' }));

const load = (respond: () => Promise<Response>) => loadProviders({ respond }, '/demo', '1');

test('the files of the simulated providers are those of this version', async () => {
	const paths: string[] = [];
	const respond = (path: string) => {
		paths.push(path);
		return Promise.resolve(Response.json({ version: '1', files }));
	};
	expect(await loadProviders({ respond }, '/demo', '1')).toEqual(files);
	expect(paths).toEqual(['/demo/_app/on-demand.providers.json']);
});

test.each([
	['without a network', () => Promise.reject(new TypeError('Failed to fetch'))],
	['where the server has another version', () => Promise.resolve(Response.json({ version: '2', files }))],
	['where the server has a page in their place', () => Promise.resolve(new Response('<!doctype html>'))]
])('there are none %s', async (_, respond) => {
	await expect(load(respond)).rejects.toThrow(StoreUnavailable);
});
