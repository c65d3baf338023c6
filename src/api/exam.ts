import * as v from 'valibot';
import { dialectNames } from './dialect.ts';

/** The probes of the exam: each is something unusual but legal that the service or the browser does. In their order before it is shuffled. */
export const probeIds = [
	'warm_up',
	'extra',
	'hard_code',
	'extra_fields',
	'error_text',
	'denied',
	'metadata_issuer',
	'other_issuer',
	'moved_server',
	'second_sign_in',
	'other_user',
	'unsolicited',
	'nothing',
	'no_state',
	'wrong_state',
	'other_browser',
	'used_state',
	'lost_exchange',
	'refused_exchange',
	'early_end',
	'expired',
	'short_life',
	'always_401',
	'forbidden',
	'refresh_fails',
	'lost_refresh',
	'cache',
	'limited',
	'unavailable',
	'user_revoked',
	'signed_out',
	'blacklisted'
] as const;

export type ProbeId = (typeof probeIds)[number];

/**
 * What a page did with the description of an error. `absent`, and `cut` in the middle, show nothing. Else a browser read it as text
 * (`escaped`), as a tag, as an attribute, as code of a script, or as the address of a link.
 */
export type ErrorTextFate = 'absent' | 'cut' | 'escaped' | 'tag' | 'attribute' | 'script' | 'code' | 'markup' | 'link';

/** What an exam did at some point. The log of the service does not show it. */
export type Mark = {
	readonly probe: ProbeId;
	/** The numbers of the first and the last entry of the probe. `to` is less than `from` if it has none. The sign-in after the probe is not in it. */
	readonly from: number;
	readonly to: number;
	/** The id of the code that the exam delivered: that of an attacker. */
	readonly code?: string;
	/** The browser of the exam that sent the requests. */
	readonly browser?: string;
	/** Whether a sign-in after the probe worked, where the client should reject the probe. */
	readonly aliveAfter?: boolean;
	/** How many times the exam used the client. */
	readonly uses?: number;
	/** The number of the entry after which all uses so far had ended: the client had every response until then. */
	readonly settled?: number;
	/** The exam broke the step off: at its time limit, or because the exam ended. What the client did not do in it shows nothing. */
	readonly isCutOff?: boolean;
	/** How long the slowest use took, in milliseconds. */
	readonly slowest?: number;
	/** The exam waited, and the client did not try again: for how many seconds, and the status of the page that used it last. 0: no response. */
	readonly waited?: { readonly seconds: number; readonly status: number };
	/** The ids of the grants, tokens and codes that the exam ended, right before the entry `from`. */
	readonly ended?: readonly string[];
	/** The names that the client read, each with the signed-in user of the browser. */
	readonly reads?: readonly { readonly name: string; readonly username: string }[];
	/** The user who has signed in in the browser, after another one. */
	readonly otherUser?: string;
	/** Whether the client treats the user as signed out at the end. */
	readonly isSignedOut?: boolean;
	/** What the page of the client did with the description of an error. */
	readonly errorText?: ErrorTextFate;
	/** Where the client showed its secret to a browser: `A page`, `The header X of a page`. */
	readonly secretIn?: string;
	/** The parameter with the text. Absent: `error_description`. */
	readonly errorField?: string;
};

/** What a rule says about a client. `disputed`: the developer disagrees with a `failed`. */
export const verdicts = ['failed', 'passed', 'not_shown', 'advice', 'disputed'] as const;

export type ResultVerdict = (typeof verdicts)[number];

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const instant = v.pipe(v.number(), v.safeInteger());
const sentence = v.pipe(v.string(), v.maxLength(500));
const id = v.pipe(v.string(), v.maxLength(100));
const seed = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(0xffff_ffff));

/** The result of one rule. */
export const finding = v.object({
	/** Its id: `token.one_refresh`. */
	rule: id,
	verdict: v.picklist(verdicts),
	/** 1: an account or secret is at risk. 2: users are signed out, or the client is blocked. 3: fragile. Absent: advice only. */
	severity: v.exactOptional(v.picklist([1, 2, 3])),
	text: sentence,
	/** One sentence that fixes it. */
	fix: sentence,
	/** Such as `§ 3.1` and `RFC 9700 §4.14`. */
	sections: v.pipe(v.array(id), v.maxLength(10)),
	/** The probe that showed it. */
	probe: v.exactOptional(v.picklist(probeIds)),
	/** The ids of the requests that show it. */
	requests: v.pipe(v.array(id), v.maxLength(10)),
	/** When, in milliseconds by the clock of the sandbox. */
	at: v.exactOptional(instant),
	/** Why the developer disagrees. */
	dispute: v.exactOptional(sentence)
});

/** The outcome of a probe. `skipped`: not chosen, or the client cannot show it. `stopped`: the exam ended while it ran. */
export const probeOutcomes = ['done', 'skipped', 'stopped', 'timed_out'] as const;

/** The result of an exam, or of a report card, which has neither `seed` nor `probes`. */
export const examResult = v.object({
	format: v.literal('tollgate-exam'),
	version: v.literal(1),
	seed: v.exactOptional(seed),
	/** That of the sandbox. Absent: `specification`. */
	dialect: v.exactOptional(v.picklist(dialectNames)),
	/** The title of the simulated provider whose client this is. */
	provider: v.exactOptional(id),
	/** ISO 8601, UTC. */
	started: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)),
	seconds: v.pipe(v.number(), v.minValue(0)),
	/** Why the exam ended early, or, for `calls_failed`, why it shows little. Absent: it did not. */
	ended: v.exactOptional(v.picklist(['stopped', 'time_limit', 'entry_limit', 'client_failed', 'calls_failed'])),
	/** Why the exam could not operate the client, if that happened. */
	problem: v.exactOptional(sentence),
	client: v.object({
		client_id: v.string(),
		kind: v.picklist(['web', 'installed']),
		/** The product token only: `node`. */
		user_agent: v.exactOptional(id)
	}),
	counts: v.object({ failed: count, passed: count, not_shown: count, advice: count, disputed: count }),
	probes: v.exactOptional(
		v.pipe(
			v.array(
				v.object({
					id: v.picklist(probeIds),
					/** The numbers of its first and last entry. */
					from: count,
					to: count,
					outcome: v.picklist(probeOutcomes),
					/** Why the client cannot show it, as the end of a sentence. */
					reason: v.exactOptional(sentence)
				})
			),
			v.maxLength(100)
		)
	),
	findings: v.pipe(v.array(finding), v.maxLength(200))
});

export type Finding = v.InferOutput<typeof finding>;
export type Severity = NonNullable<Finding['severity']>;
export type ExamResult = v.InferOutput<typeof examResult>;
export type ProbeOutcome = (typeof probeOutcomes)[number];
