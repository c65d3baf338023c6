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
import { foreignRun, isOk, sent, type ForeignRun } from './foreign-run.ts';
import { sharedFindings } from './shared-rules.ts';

/**
 * What a file shows, and what is missing in it.
 * @param exchanges oldest first
 * @param hasCookies whether the recorder kept Cookie headers
 */
export function findForeign(
	exchanges: readonly ForeignExchange[],
	hasCookies: boolean
): {
	readonly findings: ForeignFinding[];
	readonly gaps: ForeignGap[];
} {
	const run = foreignRun(exchanges, hasCookies);
	const causes = causeFindings(run);
	const named = new Set(causes.map(({ id }) => id));
	const isNamed = ({ id }: ForeignFinding) => sameAs.get(id)?.some((cause) => named.has(cause)) === true;
	const all = [...causes, ...browserFindings(run), ...sharedFindings(run), ...dialectFindings(run)];
	const findings = findingStates.flatMap((state) => all.filter((one) => one.state === state && !isNamed(one)));
	return { findings: [...findings].sort(bySeverity), gaps: gapsOf(run) };
}

/** A rule and a cause that say the same of the same exchanges: the cause says more. */
const sameAs: ReadonlyMap<string, readonly string[]> = new Map([
	['file.verifier', ['cause.pkce']],
	['exchange.redirect_uri_same', ['cause.redirect_uri_token']],
	['exchange.once', ['cause.code_used']],
	['file.state_returned', ['cause.state_lost']],
	['dialect.issuer_slash', ['cause.issuer_slash']]
]);

function bySeverity(one: ForeignFinding, other: ForeignFinding): number {
	const isFailed = one.state === 'failed' && other.state === 'failed';
	return isFailed ? (one.severity ?? 4) - (other.severity ?? 4) : 0;
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
		if (isOpen && authorization?.role === 'authorization' && isOk(authorization))
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
