import { describe, expect, it } from 'vitest';
import type { Finding } from '#api/exam.ts';
import { rulesIn } from '#evidence/provider-rules.ts';
import { withDiscovery, type DiscoveryMistake } from './discovering-client.ts';
import { ReferenceClient, type ClientSettings } from './reference-client.ts';
import { takeExam } from './take-exam.ts';

/** The rules about issuers and resources. */
const only = ['request.metadata_issuer', 'callback.issuer', 'exchange.resource_same', 'exchange.issuer_credentials'];
const seeds = [1, 2, 3];

/** Each wrong client with its rule. */
const wrong: readonly (readonly [mistake: DiscoveryMistake, rule: string])[] = [
	['issuer of the metadata is not compared', 'request.metadata_issuer'],
	['iss is not compared', 'callback.issuer'],
	['iss may be missing', 'callback.issuer'],
	['iss with a slash', 'callback.issuer'],
	['no resource', 'exchange.resource_same'],
	['no resource in the exchange', 'exchange.resource_same'],
	['another resource in the exchange', 'exchange.resource_same'],
	['one secret for all issuers', 'exchange.issuer_credentials']
];

async function examine(seed: number, mistakes: readonly DiscoveryMistake[]): Promise<readonly Finding[]> {
	const create = (settings: ClientSettings) =>
		new ReferenceClient({ ...settings, dialect: 'standard', library: withDiscovery(settings, mistakes) });
	const { findings } = await takeExam(create, { seed, dialect: 'standard', only });
	return findings.filter(({ rule }) => only.includes(rule));
}

describe.each(seeds)('in the order of seed %i', (seed) => {
	it('finds nothing wrong in a client that compares', async () => {
		const findings = await examine(seed, []);
		expect(findings.map(({ rule, verdict }) => [rule, verdict])).toEqual(only.map((rule) => [rule, 'passed']));
	});

	it.each(wrong)('%s: %s fails, and no other', async (mistake, rule) => {
		const failed = (await examine(seed, [mistake])).filter(({ verdict }) => verdict === 'failed');
		expect(failed.map((finding) => finding.rule)).toEqual([rule]);
		expect(failed[0]?.requests.length).toBeGreaterThan(0);
	});
});

it('gives advice to a client with fixed endpoints, which cannot know that responses name their issuer', async () => {
	const create = (settings: ClientSettings) =>
		new ReferenceClient({ ...settings, dialect: 'standard', mistakes: ['iss is not compared'] });
	const { findings } = await takeExam(create, { dialect: 'standard', only });
	expect(findings.filter(({ rule }) => only.includes(rule)).map(({ rule, verdict }) => [rule, verdict])).toEqual([
		['request.metadata_issuer', 'not_shown'],
		['callback.issuer', 'advice'],
		['exchange.resource_same', 'not_shown'],
		['exchange.issuer_credentials', 'not_shown']
	]);
});

it('asks clients of the specification for none of this', () => {
	expect(rulesIn('specification').filter(({ id }) => only.includes(id))).toEqual([]);
});
