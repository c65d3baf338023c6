import {
	findingStates,
	type ForeignExchange,
	type ForeignFinding,
	type ForeignGap,
	type ForeignRole
} from '../har-reading.ts';
import { browserFindings } from './browser-rules.ts';
import { causeFindings } from './causes.ts';
import { dialectFindings } from './dialect-rows.ts';
import { foreignRun, isMessage, isOk, sent, type ForeignRun, type Recorder } from './foreign-run.ts';
import { outcomeFinding } from './outcome.ts';
import { sharedFindings } from './shared-rules.ts';
import { providerForm } from '../providers/provider-forms.ts';

/**
 * What a file shows, and what is missing in it.
 * @param exchanges oldest first
 * @param recorder what recorded them, and whether it kept Cookie headers
 */
export function findForeign(
	exchanges: readonly ForeignExchange[],
	recorder: Recorder
): {
	readonly findings: ForeignFinding[];
	readonly gaps: ForeignGap[];
} {
	const run = foreignRun(exchanges, recorder);
	const causes = causeFindings(run);
	const rules = [...browserFindings(run), ...sharedFindings(run)];
	const failed = [...causes, ...rules].filter(({ state }) => state === 'failed');
	const named = new Set(failed.map(({ id }) => id));
	const isNamed = ({ id }: ForeignFinding) => sameAs.get(id)?.some((cause) => named.has(cause)) === true;
	const outcome = causes.length > 0 ? [] : outcomeFinding(run);
	const all = [...outcome, ...causes, ...rules, ...dialectFindings(run)];
	const findings = findingStates.flatMap((state) => all.filter((one) => one.state === state && !isNamed(one)));
	const formed = findings.map((one) => {
		const form = providerForm(one, run);
		return form === undefined ? one : { ...one, form };
	});
	return { findings: formed.sort(bySeverity), gaps: gapsOf(run) };
}

/** A rule and a cause that say the same of the same exchanges: the cause says more. */
const sameAs: ReadonlyMap<string, readonly string[]> = new Map([
	['file.verifier', ['cause.pkce']],
	['exchange.redirect_uri_same', ['cause.redirect_uri_token']],
	['exchange.once', ['cause.code_used']],
	['file.state_returned', ['cause.state_lost']],
	['file.https', ['cause.redirect_scheme']],
	['file.renewed', ['cause.no_refresh_token']],
	['request.state_fresh', ['file.state_fresh']],
	['dialect.issuer_slash', ['cause.issuer_slash']]
]);

/** Why a sign-in failed comes before what else the client does wrong. */
function bySeverity(one: ForeignFinding, other: ForeignFinding): number {
	const rank = ({ id, severity }: ForeignFinding) => (severity ?? 4) + (id.startsWith('cause.') ? 0 : 10);
	return one.state === 'failed' && other.state === 'failed' ? rank(one) - rank(other) : 0;
}

/** Requests that must have happened, because of what came before and after them. */
function gapsOf({ flows }: ForeignRun): ForeignGap[] {
	return flows.flatMap(({ authorization, callbacks, tokens }): ForeignGap[] => {
		const withCode = callbacks.find((one) => sent(one, 'code') !== undefined);
		const gaps: ForeignGap[] = [];
		if (authorization === undefined && callbacks[0] !== undefined)
			gaps.push(
				gap(callbacks[0], 'authorization', 'Authorization request', 'a recording from the start of the sign-in')
			);
		if (withCode !== undefined && tokens.length === 0)
			gaps.push(gap(withCode, 'token', 'Token request', 'back channel'));
		const isOpen = callbacks.length === 0 && tokens.length === 0;
		if (isOpen && authorization?.role === 'authorization' && isOk(authorization) && !isMessage(authorization))
			gaps.push(gap(authorization, 'callback', 'Callback', 'a sign-in that ends'));
		return gaps;
	});
}

const gap = ({ entry }: ForeignExchange, role: ForeignRole, name: string, needs: string): ForeignGap => ({
	after: entry.id,
	role,
	text: `${name}: not in this file`,
	needs
});
