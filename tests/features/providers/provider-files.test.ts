import { expect, it } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { isStale, loadJudged, loadProviderFile, providerList } from '#features/providers/provider-files.ts';
import { findProvider } from '#service/provider/providers.ts';

const api = new ControlApi('https://tollgate.test');

it('says after a year that a source is to be read again', () => {
	const source = { read: '2026-11-29' };
	expect(isStale(source, Date.parse('2027-11-28'))).toBe(false);
	expect(isStale(source, Date.parse('2027-11-30'))).toBe(true);
});

it('says the body over the limit where the status is not the 429 in that of the service', async () => {
	for (const { name } of providerList.slice(2)) {
		const { rateLimit } = (await loadProviderFile(name)).dialect;
		if (rateLimit !== undefined && rateLimit.status !== 429) expect([name, rateLimit.body]).not.toContain(undefined);
	}
});

it('judges the clients of a provider on the page by what the service speaks', async () => {
	expect(await loadJudged('standard', api)).toBeUndefined();
	expect(await loadJudged(undefined, api)).toBeUndefined();
	const [judged, served] = [await loadJudged('google', api), findProvider('google')];
	expect(judged).toEqual({ name: 'google', short: served?.short, dialect: served?.dialect });
});
