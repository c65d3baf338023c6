import type { Component } from 'svelte';
import ArrowLeftRight from 'icon:arrow-left-right';
import CircleCheck from 'icon:circle-check';
import CircleDashed from 'icon:circle-dashed';
import CircleX from 'icon:circle-x';
import Lightbulb from 'icon:lightbulb';
import MessageSquareWarning from 'icon:message-square-warning';
import { agentRuleIds, agentRules } from '#evidence/agents/agent-rules.ts';
import { findingTitles, type FindingState } from '#evidence/har/har-reading.ts';
import { allRules } from '#evidence/all-rules.ts';
import { areaTitles, type Rule } from '#evidence/rule.ts';
import { judgedText } from '#exam/report/findings.ts';
import type { ExamResult, Finding, ResultVerdict, Severity } from '#api/exam.ts';

/** What an exam or a file of another provider says about a rule. */
export type JudgedState = ResultVerdict | FindingState;

/** The rows of a list that have one state. */
export type JudgedGroup = {
	readonly state: JudgedState;
	readonly rows: readonly { readonly id: string; readonly title: string; readonly aside: string }[];
	/** Below the heading. */
	readonly note?: string | undefined;
};

type Look = {
	readonly label: string;
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
	/** Class of its color. Absent: muted. */
	readonly tone?: string;
};

/** The states as pages show them. */
export const judgedLooks: Readonly<Record<JudgedState, Look>> = {
	failed: { label: findingTitles.failed, icon: CircleX, tone: 'text-error' },
	disputed: { label: 'Disputed', icon: MessageSquareWarning, tone: 'text-caution' },
	advice: { label: 'Advice', icon: Lightbulb, tone: 'text-caution' },
	difference: { label: findingTitles.difference, icon: ArrowLeftRight },
	not_shown: { label: findingTitles.not_shown, icon: CircleDashed },
	shown: { label: findingTitles.shown, icon: CircleCheck, tone: 'text-ok' },
	passed: { label: 'Passed', icon: CircleCheck, tone: 'text-ok' }
};

/** In the order of the list. */
export const verdictOrder = ['failed', 'disputed', 'advice', 'not_shown', 'passed'] as const satisfies ResultVerdict[];

/** What is at risk. */
export const severityWords: Readonly<Record<Severity, string>> = {
	1: 'account or secret at risk',
	2: 'users are signed out, or the client is blocked',
	3: 'fragile'
};

/** The findings of a verdict, the worst first. */
export function findingsOf(findings: readonly Finding[], verdict: ResultVerdict): Finding[] {
	return findings
		.filter((finding) => finding.verdict === verdict)
		.sort((one, other) => (one.severity ?? 4) - (other.severity ?? 4));
}

/** `1 rule failed`, `Nothing failed`, or how much an exam that ended early has judged. */
export function resultTitle(result: Pick<ExamResult, 'findings' | 'ended' | 'dialect' | 'provider'>): string {
	const { findings, ended } = result;
	const failed = findingsOf(findings, 'failed').length;
	const judged = judgedText(result);
	if (failed === 0) {
		if (ended === undefined) return 'Nothing failed';
		return ended === 'calls_failed' ? `No call worked: ${judged}` : `Stopped: ${judged}`;
	}
	const title = failed === 1 ? '1 rule failed' : `${failed} rules failed`;
	return ended === undefined ? title : `${title}, ${judged}`;
}

/** The findings as groups of a list, the worst first. */
export function findingGroups(findings: readonly Finding[]): JudgedGroup[] {
	return verdictOrder.map((verdict) => ({
		state: verdict,
		rows: findingsOf(findings, verdict).map((finding) => ({
			id: finding.rule,
			title: titleOf(finding.rule),
			aside:
				verdict === 'not_shown'
					? reasonOf(finding)
					: verdict === 'failed' && finding.severity
						? `Severity ${finding.severity}`
						: ''
		}))
	}));
}

/** Why a rule was not shown, for a list: what it needs, or a sentence. */
export function reasonOf({ text }: Finding): string {
	return text.replace(/^Not shown\. (?:Needs: (.*)\.$)?/, '$1');
}

/** What a rule is called. An older program may have known others. */
export function titleOf(id: string): string {
	const ofAgents = agentRuleIds.find((one) => one === id);
	return ofAgents === undefined ? (ruleOf(id)?.title ?? id) : agentRules[ofAgents].title;
}

/** A rule by its id. Undefined: it is one of agents, or an older program knew it. */
export function ruleOf(id: string): Rule | undefined {
	return allRules.find((rule) => rule.id === id);
}

/**
 * What a prediction and the result say together. Undefined without a prediction.
 * @param prediction an area; empty: none
 */
export function predictionText(prediction: string, findings: readonly Finding[]): string | undefined {
	const [, predicted] = Object.entries(areaTitles).find(([area]) => area === prediction) ?? [];
	if (predicted === undefined) return undefined;
	const failed = findings.filter(({ verdict }) => verdict === 'failed');
	const [first] = failed.toSorted((one, other) => (one.at ?? Infinity) - (other.at ?? Infinity));
	if (first === undefined) return `You expected “${predicted}” to fail first. Nothing failed.`;
	const area = ruleOf(first.rule)?.area;
	if (area === undefined) return undefined;
	return area === prediction
		? `You expected “${predicted}” to fail first, and it did.`
		: `You expected “${predicted}” to fail first. It was “${areaTitles[area]}”.`;
}
