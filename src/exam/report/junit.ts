import type { ExamResult, Finding } from '#api/exam.ts';
import { byArea } from './findings.ts';

/** Characters that XML 1.0 does not allow. */
// eslint-disable-next-line no-control-regex -- these are what is replaced
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/gu;

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * The result as JUnit XML: a `testsuite` for each area, and a `testcase` for each rule. Failed rules have a `failure`, rules that
 * were not shown are `skipped`, and advice is in `system-out`.
 */
export function toJunit({ findings, counts, seconds, started }: ExamResult): string {
	const suites = [...byArea(findings)].map(([area, inArea]) => suiteOf(area, inArea, started));
	const attributes = totals(findings.length, counts.failed, counts.not_shown + counts.disputed);
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites name="Tollgate exam" ${attributes} time="${seconds}">`,
		...suites.flat(),
		'</testsuites>',
		''
	].join('\n');
}

function suiteOf(area: string, findings: readonly Finding[], started: string): string[] {
	const count = (...verdicts: Finding['verdict'][]) =>
		findings.filter(({ verdict }) => verdicts.includes(verdict)).length;
	const attributes = totals(findings.length, count('failed'), count('not_shown', 'disputed'));
	// The schema of JUnit has no time zone here.
	const timestamp = started.replace(/(?:\.\d+)?Z$/, '');
	return [
		`  <testsuite name="${escapeXml(area)}" ${attributes} timestamp="${escapeXml(timestamp)}" time="0">`,
		...findings.map((finding) => caseOf(area, finding)),
		'  </testsuite>'
	];
}

function caseOf(area: string, finding: Finding): string {
	const start = `    <testcase name="${escapeXml(finding.rule)}" classname="tollgate.${escapeXml(area)}" time="0"`;
	const content = contentOf(finding);
	return content === '' ? `${start} />` : `${start}>\n      ${content}\n    </testcase>`;
}

function contentOf({ verdict, severity, text, fix, sections, requests, dispute }: Finding): string {
	switch (verdict) {
		case 'passed':
			return '';
		case 'not_shown':
			return `<skipped message="${escapeXml(text)}" />`;
		case 'disputed':
			return `<skipped message="${escapeXml(`Disputed: ${dispute ?? text}`)}" />`;
		case 'advice':
			return `<system-out>${escapeXml(`Advice: ${text} Fix: ${fix}`)}</system-out>`;
		case 'failed': {
			const lines = [text, `Fix: ${fix}`, `Requests: ${requests.join(' ')}`, `Sections: ${sections.join(', ')}`];
			const type = severity === undefined ? 'failed' : `severity ${severity}`;
			return `<failure type="${type}" message="${escapeXml(text)}">${escapeXml(lines.join('\n'))}</failure>`;
		}
	}
}

function totals(tests: number, failures: number, skipped: number): string {
	return `tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function escapeXml(text: string): string {
	return text.replace(notInXml, '\ufffd').replace(/[&<>"]/g, (character) => references[character] ?? '');
}
