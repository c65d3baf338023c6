import { expect, it } from 'vitest';
import { textWidth, toText } from '#exam/report/text.ts';
import { badResult, goodResult } from './example-result.ts';

it('lists areas and what was not shown if nothing failed', () => {
	expect(toText(goodResult)).toBe(`  request      1 passed   1 not shown
  call         1 passed
  sign-out                1 not shown

  ○ request.navigated   needs a real browser
  ○ signout.revoke      needs exam, sign-out

  ✓ 2 passed, 2 not shown, 0 advice, 0 failed in 31 s
`);
});

it('lists failed rules, the most severe first, with what fixes them', () => {
	const requests = new Map([['h_bW7nTq0s', 'POST /ws/oauth2/token/  200']]);
	expect(toText(badResult, { requests })).toBe(`  ✗ callback.state_required  severity 1
    A callback without state was accepted: <state> & "code".
    step     A link has a code of another user and no state, while a sign-in is
             open. Another link has an empty one.
    fix      Reject a callback without a state, also if you have stored none.
    request  h_zoK3vQ1d
    section  RFC 6749 §10.12

  ✗ token.one_refresh  severity 2
    5 refreshes ran at once.
    step     Access tokens end before their time, then five calls begin at once,
             and later another one.
    fix      Let all calls wait for one refresh, so that a new token of one call
             is also the token of all the other calls.
    request  h_bW7nTq0s  POST /ws/oauth2/token/  200  and 2 more
    section  RFC 9700 §4.14

  ! request.scope_needed  No call needs character_write.

  ○ request.navigated   needs a real browser
  ○ signout.revoke      needs exam, sign-out

  ✗ 2 failed, 1 advice, 2 not shown, 2 passed in 31 s
  again  add --only callback.state_required,token.one_refresh
  why    code of each rule: npx tollgate, then https://localhost:8443/docs/exam
`);
});

it('says why an exam ended early', () => {
	expect(toText({ ...goodResult, ended: 'time_limit' })).toContain('  The exam reached its time limit.\n');
});

it('fits in 80 columns, whatever the texts and the number of failed rules', () => {
	const long = 'word '.repeat(60).trim();
	const findings = badResult.findings.flatMap((finding) => [
		{ ...finding, text: long, fix: long },
		{ ...finding, rule: `${finding.rule}_and_another_long_name`, text: long }
	]);
	const requests = new Map([['h_bW7nTq0s', `GET /ws/v2.0/character/${'x'.repeat(200)}`]]);
	for (const result of [badResult, goodResult]) {
		const lines = toText(
			{ ...result, findings: result === badResult ? findings : result.findings },
			{ requests }
		).split('\n');
		expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(textWidth);
	}
});

it('has colors only where they are chosen', () => {
	const colored = toText(badResult, { isColored: true });
	expect(toText(badResult)).not.toContain('\u001b');
	expect(colored).toContain('\u001b[31m✗\u001b[0m \u001b[1mtoken.one_refresh\u001b[0m');
	expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(toText(badResult));
});

it('shows a request of a client without control characters', () => {
	const requests = new Map([['h_zoK3vQ1d', 'GET /\u001b[2Jx']]);
	expect(toText(badResult, { requests })).toContain('GET /\ufffd[2Jx');
});

it('marks an exam that ended early as neither passed nor failed', () => {
	const text = toText({ ...goodResult, ended: 'client_failed' });
	expect(text).toContain('The exam stopped, because no sign-in worked.');
	expect(text).toContain('○ 2 passed, 2 not shown');
});
