import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { areas, evaluateRules } from '#evidence/rule.ts';
import { buildRun, clientsIn, ofClient } from '#evidence/run.ts';
import { probeIds } from '#api/exam.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from '../service/test-service.ts';
import { Log } from './log.ts';

/** What a bad client can do, in many ways. */
function busyLog(): Log {
	const log = new Log();
	for (let round = 0; round < 4; round++) {
		for (const probe of probeIds) {
			const flow = log.signIn({ state: `${round}`, challenge: 'same', form: 'json', bits: 8 });
			log.probe(probe, { code: `code of ${flow}`, uses: 3, aliveAfter: true, errorText: 'tag' }, () => {
				log.exchange(flow);
				log.exchange(flow, { status: 400, failed: 'token.redirect_uri_matches' });
				log.call(flow, { status: 403 });
				for (let call = 0; call < 6; call++) log.deadCall(flow);
				for (let refresh = 0; refresh < 5; refresh++)
					log.refresh(flow, ` ${refresh}`, refresh % 2 === 0 ? {} : { status: null });
				log.revoke(flow);
				log.call(flow, { status: null });
			});
		}
	}
	return log;
}

test('any part of a log gives a finding for each rule, and no failed without ids', () => {
	const { entries, marks } = busyLog();
	fc.assert(
		fc.property(fc.subarray(entries), fc.subarray(marks), (someEntries, someMarks) => {
			const findings = evaluateRules(allRules, buildRun(someEntries, someMarks));
			expect(findings).toHaveLength(allRules.length);
			const ids = new Set(someEntries.map(({ id }) => id));
			for (const { rule, verdict, requests, severity } of findings) {
				expect([rule, verdict === 'failed' && requests.length === 0]).toEqual([rule, false]);
				expect(requests.length).toBeLessThanOrEqual(10);
				expect(requests.every((id) => ids.has(id))).toBe(true);
				if (verdict === 'failed') expect([1, 2, 3]).toContain(severity);
			}
		}),
		{ numRuns: 20 }
	);
});

test('without marks, no rule about a probe fails or passes', () => {
	const { entries } = busyLog();
	const findings = evaluateRules(allRules, buildRun(entries));
	const examOnly = new Set(allRules.filter(({ needs }) => needs.startsWith('the exam')).map(({ id }) => id));
	expect(examOnly.size).toBeGreaterThan(20);
	for (const { rule, verdict } of findings)
		if (examOnly.has(rule)) expect([rule, verdict]).toEqual([rule, 'not_shown']);
});

test('an empty log shows nothing', () => {
	const findings = evaluateRules(allRules, buildRun([]));
	expect(new Set(findings.map(({ verdict }) => verdict))).toEqual(new Set(['not_shown']));
});

test('there are 78 rules, each with its own id in its area, in the order of the areas', () => {
	expect(new Set(allRules.map(({ id }) => id)).size).toBe(78);
	expect(allRules.every(({ id, area }) => id.startsWith(`${area}.`))).toBe(true);
	const order = allRules.map(({ area }) => areas.indexOf(area));
	expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('a client that does everything right at the service fails no rule', async () => {
	const at = await createTestService().sandbox();
	const user = at.user();
	for (let sign = 0; sign < 3; sign++) {
		const code = await user.code(at.viewer, {
			state: `state-of-43-characters-or-more-number-00000${sign}`
		});
		await at.character((await at.exchange(code)).tokens.access_token);
	}
	const entries = await readEntries(at);
	const [client_id = ''] = clientsIn(entries);
	const findings = evaluateRules(allRules, buildRun(ofClient(entries, client_id)));
	expect(findings.filter(({ verdict }) => verdict === 'failed').map(({ rule, text }) => [rule, text])).toEqual([]);
	expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(10);
	expect(buildRun(entries).kindOf(client_id)).toBe('web');
});
