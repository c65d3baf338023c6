import { expect, it } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { isStale, loadJudged } from '#features/providers/provider-files.ts';
import { findProvider } from '#service/provider/providers.ts';

const api = new ControlApi('https://tollgate.test');

it('says after a year that a source is to be read again', () => {
	const source = { read: '2026-11-29' };
	expect(isStale(source, Date.parse('2027-11-28'))).toBe(false);
	expect(isStale(source, Date.parse('2027-11-30'))).toBe(true);
});

it('judges the clients of a provider on the page by what the service speaks', async () => {
	expect(await loadJudged('standard', api)).toBeUndefined();
	expect(await loadJudged(undefined, api)).toBeUndefined();
	const [judged, served] = [await loadJudged('google', api), findProvider('google')];
	expect(judged).toEqual({ name: 'google', short: served?.short, dialect: served?.dialect });
});
