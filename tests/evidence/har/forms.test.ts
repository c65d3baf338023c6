import { describe, expect, test } from 'vitest';
import type { HarContent } from '#evidence/har/har-reading.ts';
import { harReport } from '#evidence/har/har-report.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { callbackForms } from './forms/callbacks.ts';
import { clientForms } from './forms/clients.ts';
import { outcomeForms } from './forms/outcomes.ts';
import { morePageForms } from './forms/more-provider-pages.ts';
import { pageForms } from './forms/provider-pages.ts';
import { furtherForms } from './forms/further-providers.ts';
import { lastForms } from './forms/last-providers.ts';
import { furtherFlows } from './forms/further-flows.ts';
import { tokenForms } from './forms/provider-tokens.ts';
import { recordedBy } from './recorders.ts';

const forms = [
	...pageForms,
	...morePageForms,
	...tokenForms,
	...furtherForms,
	...lastForms,
	...furtherFlows,
	...clientForms,
	...callbackForms,
	...outcomeForms
];

function read(har: string): HarContent {
	const reading = readHar(har);
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading;
}

test('there are files of all recorders', () => {
	expect(new Set(forms.map(({ recorder }) => recorder)).size).toBe(8);
	expect(forms.length).toBeGreaterThanOrEqual(40);
});

describe.each(forms)('$recorder: $name', ({ recorder, entries, first, says, never, also = [], outcome }) => {
	const content = () => read(recordedBy(recorder, entries));

	test('has the right first cause', () => {
		const found = content();
		const failed = found.findings.filter(({ state }) => state === 'failed');
		expect(failed[0]?.id).toBe(first);
		expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining([...also]));
		const { text = '', cause = '', fix = '' } = failed[0] ?? {};
		if (says !== undefined) expect(`${text} ${cause} ${fix}`).toMatch(says);
		if (never !== undefined) expect(harReport(found, 'a.har')).not.toMatch(never);
		if (outcome !== undefined) expect(found.findings.find(({ id }) => id === 'file.outcome')?.state).toBe(outcome);
	});

	test('keeps no secret', () => {
		const text = JSON.stringify(content());
		expect([...text.matchAll(/canary\w{4,}/gi)].map(([value]) => value)).toEqual([]);
	});
});
