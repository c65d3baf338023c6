import type { ExamResult } from '#api/exam.ts';
import { probesOf } from '#exam/probe-list.ts';
import type { Choices } from './choices.ts';

/** The result, where rules that an option of the command would show name that option. */
export function nameOptions(result: ExamResult, choices: Choices): ExamResult {
	const findings = result.findings.map((finding) => {
		const option = finding.verdict === 'not_shown' ? missingOption(finding.rule, choices) : undefined;
		return option === undefined ? finding : { ...finding, text: `Not shown. Needs: ${option}.` };
	});
	return { ...result, findings };
}

function missingOption(rule: string, { use, signOut, kind }: Choices): string | undefined {
	if (rule === 'request.navigated') return 'a real browser: open /exam';
	if (rule.startsWith('installed.') && kind === 'web') return '--kind installed';
	if (rule.startsWith('signout.') && signOut === undefined) return '--sign-out';
	const probes = probesOf(rule);
	const needsUse =
		rule.startsWith('call.') || probes.some(({ startsSignedIn, needs }) => startsSignedIn ?? needs === 'a call');
	return use === undefined && needsUse ? '--use' : undefined;
}
