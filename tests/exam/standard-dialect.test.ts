import { describe, expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { leftOutReason } from '#evidence/provider-rules.ts';
import { boundLibraries } from './bound-libraries.ts';
import { withForms, withPostedRequests } from './form-post-client.ts';
import { judgeGoodClient, judgeLibrary, judgeMutant } from './judge-mutant.ts';
import { standardMutants } from './mutants.ts';
import { ReferenceClient, type ClientSettings } from './reference-client.ts';
import { standardLibraries, withoutIdToken } from './standard-libraries.ts';
import { takeExam } from './take-exam.ts';

// The nightly tests examine all of them, in several orders.
const selection = standardMutants.filter(({ verdict = 'failed' }, index) => verdict === 'failed' && index % 9 === 0);

it('finds nothing wrong in a good client of today’s standards', () => judgeGoodClient(1, 'standard'));

// With OpenID Connect, and without.
const libraries = standardLibraries.filter(({ name }) =>
	['openid-client with OpenID Connect', 'oauth4webapi'].includes(name)
);

it.each(libraries)('finds nothing wrong in a client with $name', (library) => judgeLibrary(library, 1, 'standard'));

it('judges all rules about tokens of a client whose proofs have the time of its machine', async () => {
	const library = boundLibraries.find(({ name }) => name.endsWith('DPoP and pushed requests'));
	const create = (settings: ClientSettings) => {
		const made = library?.create(settings);
		return new ReferenceClient({ ...settings, dialect: 'standard', ...(made && { library: made }) });
	};
	const { findings } = await takeExam(create, {
		dialect: 'standard',
		only: ['request.navigated', 'dpop.*', 'token.*']
	});
	const open = ['request.navigated', 'dpop.nonce', 'token.keep_at_second_sign_in'];
	const others = findings.filter(({ verdict, rule }) => verdict !== 'passed' && !open.includes(rule));
	expect(others).toEqual([]);
	expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
});

describe('judges a client of today’s standards', () => {
	it.each(selection)('$rule: $mistakes', (mutant) => judgeMutant(mutant, 1, 'standard'));
});

it('finds a client that reads Retry-After as seconds only', () =>
	judgeMutant(
		{ rule: 'limit.after_reset', mistakes: ['Retry-After as seconds only'], followers: ['limit.stop_at_zero'] },
		2,
		'standard'
	));

it('delivers a code that only the nonce can reject, where it takes the place of PKCE', async () => {
	const create = (settings: ClientSettings) =>
		new ReferenceClient({ ...settings, dialect: 'standard', library: withoutIdToken(settings) });
	const { findings } = await takeExam(create, { dialect: 'standard', only: ['callback.foreign_code'] });
	expect(findings.map(({ verdict }) => verdict)).toEqual(['failed']);
});

it('says why it leaves out a rule, and runs no step for it', async () => {
	const client = (settings: ClientSettings) => new ReferenceClient({ ...settings, dialect: 'standard' });
	const { findings, probes, dialect } = await takeExam(client, { dialect: 'standard', only: ['limit.*'] });
	expect(dialect).toBe('standard');
	expect(
		findings.filter(({ text }) => text.startsWith('Left out. ')).map(({ rule, verdict, text }) => [rule, verdict, text])
	).toEqual([
		['limit.paced', 'not_shown', 'Left out. No standard asks clients to spread their requests.'],
		['limit.cache', 'not_shown', 'Left out. No standard asks clients to keep these responses.'],
		[
			'limit.stop_when_blacklisted',
			'not_shown',
			'Left out. The blacklist is part of the specification. No standard has one.'
		]
	]);
	expect(probes?.map(({ id }) => id)).not.toContain('blacklisted');
});

it('names sections of standards only', () => {
	const rules = allRules.filter((rule) => leftOutReason(rule, 'standard') === undefined);
	expect(rules).toHaveLength(74);
	for (const { id, sections, standard = {} } of rules)
		expect('sections' in standard ? standard.sections : sections, id).toEqual([expect.stringMatching(/^RFC \d+ §/)]);
});

describe('judges a client that gets its responses as forms', () => {
	const create = (settings: ClientSettings) => withForms(new ReferenceClient({ ...settings, dialect: 'standard' }));

	it('finds nothing wrong in a good one', async () => {
		const { findings, ended } = await takeExam(create, { dialect: 'standard' });
		expect(findings.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice')).toEqual([]);
		expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(44);
		expect(ended).toBeUndefined();
	});

	it('delivers a code of the attacker as a form, too', async () => {
		const rule = 'callback.foreign_code';
		const { mistakes = [], verdict = 'failed' } = standardMutants.find((mutant) => mutant.rule === rule) ?? {};
		const wrong = (settings: ClientSettings) => create({ ...settings, mistakes });
		const { findings } = await takeExam(wrong, { dialect: 'standard', only: [rule] });
		expect(findings).toMatchObject([{ rule, verdict }]);
	});
});

describe('judges a client that posts its authorization requests', () => {
	const create = (settings: ClientSettings) =>
		withPostedRequests(new ReferenceClient({ ...settings, dialect: 'standard' }));

	it('as one that sends them by GET', async () => {
		const verdicts = async (client: typeof create) => {
			const { findings, ended } = await takeExam(client, { dialect: 'standard', only: ['request.*', 'callback.*'] });
			return [ended, findings.map(({ rule, verdict }) => [rule, verdict])];
		};
		const byGet = (settings: ClientSettings) => new ReferenceClient({ ...settings, dialect: 'standard' });
		expect(await verdicts(create)).toEqual(await verdicts(byGet));
	});

	it('finds its secret, which the service leaves out of the URL', async () => {
		const wrong = (settings: ClientSettings) => create({ ...settings, mistakes: ['secret in the authorization URL'] });
		const { findings } = await takeExam(wrong, { dialect: 'standard', only: ['request.no_secret'] });
		expect(findings).toMatchObject([{ verdict: 'failed' }]);
	});
});
