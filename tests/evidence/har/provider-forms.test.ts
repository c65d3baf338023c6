import { expect, test } from 'vitest';
import { wordIds } from '#evidence/har/findings/finding-words.ts';
import type { HarContent } from '#evidence/har/har-reading.ts';
import { harReport } from '#evidence/har/har-report.ts';
import { providerErrors, providerHars } from '#evidence/har/providers/provider-errors.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { makeHar, type MadeEntry } from './make-har.ts';

const redirect_uri = 'https://app.fabrikam.example/callback';
const query = new URLSearchParams({ client_id: 'shop', redirect_uri, scope: 'user', state: 'canary-state-8sK2mN' });
const back = `${redirect_uri}?code=canary-code-4fG7&state=canary-state-8sK2mN`;

/** A sign-in whose code the token endpoint of a host rejects, as GitHub does. */
function rejectedAt(host: string): HarContent {
	const entries: MadeEntry[] = [
		{ at: 0, url: `https://${host}/login/oauth/authorize?${query}`, status: 302, location: back },
		{ at: 1, url: back, status: 500, html: 'Error' },
		{
			at: 1.1,
			url: `https://${host}/login/oauth/access_token`,
			form: { client_id: 'shop', client_secret: 'canary-secret', code: 'canary-code-4fG7', redirect_uri },
			body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
		}
	];
	const reading = readHar(makeHar(entries));
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading;
}

const formsOf = ({ findings }: HarContent) =>
	Object.fromEntries(findings.flatMap(({ id, form }) => (form === undefined ? [] : [[id, form]])));

test('says that an error is that of GitHub, with the source of its file', () => {
	const forms = formsOf(rejectedAt('github.com'));
	expect(forms['cause.grant']).toMatchObject({
		text: 'bad_verification_code is GitHub’s form of invalid_grant.',
		source: { kind: 'documented', url: expect.stringContaining('docs.github.com') }
	});
	expect(forms['dialect.error_with_200']).toMatchObject({
		text: 'This is GitHub’s form of an error.',
		source: { kind: 'observed' }
	});
	expect(forms['dialect.no_iss']?.text).toBe('This is GitHub’s form of a callback.');
	expect(forms['dialect.no_response_type']?.source.kind).toBe('documented');
});

test('names no provider whose hosts are not in the file', () => {
	const read = rejectedAt('id.meridian.example');
	expect(read.findings.map(({ id }) => id)).toEqual(expect.arrayContaining(['cause.grant', 'dialect.error_with_200']));
	expect(formsOf(read)).toEqual({});
});

test.each(['text', 'markdown', 'json'] as const)('names no provider in a report without hosts, as %s', (format) => {
	const read = rejectedAt('github.com');
	expect(harReport(read, 'a.har', format)).toMatch(/GitHub’s form of an error.*https:\/\/github\.com\/\w+/s);
	expect(harReport(read, 'a.har', format, false)).not.toMatch(/github/i);
});

test('takes the errors of providers from their files, and lists no other fact of them', () => {
	const known = new Map(providerHars.flatMap(({ errors }) => errors.map(({ name, source }) => [name, source.url])));
	expect([...known.keys()].toSorted()).toEqual(
		expect.arrayContaining([
			'AADSTS54005',
			'AADSTS70011',
			'AADSTS7000215',
			'bad_client_secret',
			'bad_redirect_uri',
			'bad_verification_code',
			'incorrect_client_credentials',
			'invalid_auth',
			'invalid_client_id',
			'invalid_code',
			'not_authed'
		])
	);
	const sources = new Set(providerHars.flatMap(({ errors }) => errors.map(({ source }) => source.url)));
	const twice = providerErrors.filter(({ name, source }) => known.has(name) && !sources.has(source));
	expect(twice).toEqual([]);
});

test('has words for each finding that a provider has a form of', () => {
	const found = providerHars.flatMap(({ forms, errors }) => [
		...forms.map(({ finding }) => finding),
		...errors.map(({ cause }) => cause)
	]);
	expect(wordIds).toEqual(expect.arrayContaining([...new Set(found)]));
});
