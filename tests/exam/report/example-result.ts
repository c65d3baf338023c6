import type { ExamResult, Finding } from '#api/exam.ts';

const passed = (rule: string): Finding => ({
	rule,
	verdict: 'passed',
	severity: 2,
	text: 'Seen in 3 exchanges.',
	fix: 'None.',
	sections: ['§ 3.1'],
	requests: []
});

const notShown = (rule: string, need: string): Finding => ({
	...passed(rule),
	verdict: 'not_shown',
	text: `Not shown. Needs: ${need}.`
});

const passedFindings = [
	passed('request.protected'),
	notShown('request.navigated', 'a real browser'),
	passed('call.header'),
	notShown('signout.revoke', 'exam, sign-out')
];

const failedFindings: readonly Finding[] = [
	{
		rule: 'token.one_refresh',
		verdict: 'failed',
		severity: 2,
		text: '5 refreshes ran at once.',
		fix: 'Let all calls wait for one refresh, so that a new token of one call is also the token of all the other calls.',
		sections: ['RFC 9700 §4.14'],
		probe: 'early_end',
		requests: ['h_bW7nTq0s', 'h_2', 'h_3'],
		at: 1_795_420_820_069
	},
	{
		rule: 'callback.state_required',
		verdict: 'failed',
		severity: 1,
		text: 'A callback without state was accepted: <state> & "code".',
		fix: 'Reject a callback without a state, also if you have stored none.',
		sections: ['RFC 6749 §10.12'],
		probe: 'no_state',
		requests: ['h_zoK3vQ1d']
	},
	{
		rule: 'request.scope_needed',
		verdict: 'advice',
		text: 'No call needs character_write.',
		fix: 'Ask for a permission when a feature needs it.',
		sections: ['§ 2.1'],
		requests: ['h_4']
	}
];

const base: ExamResult = {
	format: 'tollgate-exam',
	version: 1,
	seed: 7,
	started: '2026-11-23T19:00:00.000Z',
	seconds: 31.4,
	client: { client_id: 'exam-client', kind: 'web' },
	counts: { failed: 0, passed: 2, not_shown: 2, advice: 0, disputed: 0 },
	probes: [],
	findings: passedFindings
};

/** The result of an exam in which nothing failed. */
export const goodResult: ExamResult = base;

/** The result of an exam with two failed rules and advice. */
export const badResult: ExamResult = {
	...base,
	counts: { failed: 2, passed: 2, not_shown: 2, advice: 1, disputed: 0 },
	findings: [...passedFindings, ...failedFindings]
};
