import type { DialectName } from '#api/dialect.ts';
import type { Finding, ProbeId, Severity } from '#api/exam.ts';
import type { RuleTexts } from './rule-record.ts';
import type { ClientRun } from './run.ts';

/** What a rule says about a client. Without ids of requests there is no `failed`. */
export type Verdict = 'failed' | 'passed' | 'not_shown' | 'advice';

/** What the rules are about, in the order of a sign-in. The id of a rule begins with its area. */
export const areas = [
	'request',
	'callback',
	'exchange',
	'token',
	'call',
	'limit',
	'signout',
	'installed',
	'device',
	'dpop',
	'delegation',
	'assertion'
] as const;
export type Area = (typeof areas)[number];

/** The areas as readers see them. */
export const areaTitles: Readonly<Record<Area, string>> = {
	request: 'Authorization requests',
	callback: 'The callback',
	exchange: 'The code exchange',
	token: 'Tokens and refreshes',
	call: 'Calls',
	limit: 'Rate limits',
	signout: 'Sign-out',
	installed: 'Installed applications',
	device: 'Devices',
	dpop: 'Tokens bound to a key',
	delegation: 'Exchanged tokens',
	assertion: 'Signed assertions'
};

/** The verdict of one rule, with the requests that show it. */
export type Judgment = {
	readonly verdict: Verdict;
	/** In place of that of the rule. */
	readonly severity?: Severity;
	/** How many requests show it. */
	readonly count: number;
	/** In place of the text of the rule. */
	readonly text?: string;
	/** In place of the fix of the rule, where the same observation has another cause. */
	readonly fix?: string;
	/** The ids of at most 10 requests, oldest first. */
	readonly requests: readonly string[];
	/** When the first one ended, in milliseconds by the clock of the sandbox. */
	readonly at?: number;
	/** The probe that showed it. */
	readonly probe?: ProbeId;
};

/** What code has of a rule. Its texts are in `src/content/rules`, by its id. */
export type RuleCode = {
	/** Stable, its area first: `token.one_refresh`. */
	readonly id: string;
	/** 1: an account or a secret is at risk. 2: users are signed out, or the client is blocked. 3: fragile. Undefined: advice only. */
	readonly severity: Severity | undefined;
	/** Pure. Reads what the service did, so it needs no dialect. */
	readonly judge: (run: ClientRun) => Judgment;
	/** The only dialect that has it. Absent: all. */
	readonly dialect?: DialectName;
};

/** One thing that a client must do, or must not do, judged by what the service recorded. */
export type Rule = RuleCode & RuleTexts & { readonly area: Area };

/**
 * The findings of rules about one client, in the order of the rules.
 * @param rules usually `rulesIn` of a dialect
 */
export function evaluateRules(rules: readonly Rule[], run: ClientRun): Finding[] {
	return rules.map((rule) => {
		const judgment = rule.judge(run);
		const severity = judgment.severity ?? rule.severity;
		return {
			rule: rule.id,
			verdict: judgment.verdict,
			...(severity === undefined ? {} : { severity }),
			text: judgment.text ?? textOf(rule, judgment),
			fix: judgment.fix ?? rule.fix,
			sections: [...rule.sections],
			...(judgment.probe === undefined ? {} : { probe: judgment.probe }),
			requests: [...judgment.requests],
			...(judgment.at === undefined ? {} : { at: judgment.at })
		};
	});
}

function textOf(rule: Rule, { verdict, count }: Judgment): string {
	if (verdict === 'not_shown') return notShownText(rule);
	if (verdict === 'passed') return `${rule.title}. Seen in ${countOf(count, 'exchange')}.`;
	return withCount(rule.failed, count);
}

/** What a rule says of a client that never got into its situation. */
export function notShownText({ needs }: Rule): string {
	return `Not shown. Needs: ${needs}.`;
}

/** A text with its counts: `{call}` is `1 call` or `2 calls`, and `{refresh|refreshes}` has its own plural. */
function withCount(text: string, count: number): string {
	return text.replace(/\{([^|}]+)(?:\|([^}]+))?\}/g, (_, one: string, several?: string) =>
		countOf(count, one, several)
	);
}

/** `1 call`, `1,200 calls`. */
export function countOf(count: number, one: string, several = `${one}s`): string {
	return `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
}
