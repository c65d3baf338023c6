import { endedGrants, failedAt } from '#evidence/exchanges.ts';
import type { Facts } from '#evidence/facts.ts';
import type { ConditionCode, ExerciseEvidence, ExerciseRun } from '../exercise.ts';
import { rejects } from './attacks.ts';
import {
	condition,
	first,
	inStep,
	judged,
	kindIn,
	lacks,
	metBy,
	rejectedBy,
	rejections,
	signsIn
} from './judgments.ts';
import { character, noCharacter, signedIn, signedOut } from './results.ts';

const names = ['Mara Vell', "Tomas d'Arc", 'Zoë Šťastná', 'Half/Life', '100% Orc'];
const name = 'Mara Vell';
/** A missing character is no reason to refresh. */
const unknownName = 'Unknown';

/** How long a refresh takes, in milliseconds. Calls that do not wait for it have the old token. */
const slowRefresh = 400;

/** Signs in, and twice ends the access token before five calls at once: early, as an operator can, and by the clock. Before that, the token is good for five, and a sixth finds no character. */
export async function endTokenTwice(run: ExerciseRun): Promise<void> {
	run.step('sign_in');
	const result = await run.call('signIn', signedIn);
	if (result.error !== undefined) return;
	const read = (one: string) => run.call('getCharacter', character(one), one);
	run.step('valid');
	for (const one of names) await read(one);
	await run.call('getCharacter', noCharacter(unknownName), unknownName);
	run.step('ended', { probe: 'early_end' });
	const { grants } = await run.api.request('GET /control/credentials');
	for (const { id } of grants.flatMap(({ access_tokens }) => access_tokens))
		await run.api.request('DELETE /control/credentials/{kind}/{id}', { path: { kind: 'access_tokens', id } });
	await run.api.request('POST /control/faults', {
		body: { kind: 'delay', endpoint: 'token', delay_ms: slowRefresh, times: null }
	});
	await Promise.all(names.map(read));
	run.step('expired', { probe: 'expired' });
	run.clock.advance(2 * 3_600_000);
	await Promise.all(names.map(read));
}

/** Signs out, and uses the client once more. */
export async function signOutAndRead(run: ExerciseRun): Promise<void> {
	run.step('sign_out', { probe: 'signed_out' });
	await run.call('signOut', signedOut());
	run.step('after');
	await run.call('getCharacter', noCharacter(name), name);
}

/** What a sign-out sent to the service. */
export const revocationsIn = (step: string) => (evidence: ExerciseEvidence) =>
	evidence.step(step)?.facts.filter(({ entry }) => entry.endpoint === 'revoke') ?? [];
const revocations = revocationsIn('sign_out');

const isOver = ({ step }: ExerciseEvidence, id: string): boolean => step(id)?.isOver === true;
const isUnauthorized = ({ status }: Facts) => status === 401;
const isEnding = ({ entry }: Facts) => endedGrants(entry).length > 0;
const hasValue = (label: string) => (facts: Facts) => facts.entry.values.some((value) => value.label.startsWith(label));

/** Conditions of several exercises, by their ids. */
export const sharedConditions: Readonly<Record<string, ConditionCode>> = {
	signs_in: signsIn(),
	denial: rejects('denied'),

	/** A token that works is used again. */
	due: condition(['needless'], (evidence, fail) => {
		const refreshes = kindIn(evidence, 'valid', 'refresh', 'other_token_request', 'exchange');
		if (refreshes.length > 0) return fail('needless', refreshes);
		return isOver(evidence, 'valid') ? metBy(kindIn(evidence, 'valid', 'call')) : 'open';
	}),

	/** A call that was rejected leads to a refresh. */
	refreshed: first(
		['by_clock', 'none'],
		(evidence, fail) => {
			if (refreshesIn(evidence).length > 0) return undefined;
			const rejected = kindIn(evidence, 'ended', 'call').filter(isUnauthorized);
			// What the next step shows tells one cause from others.
			if (!isOver(evidence, 'expired') || rejected.length === 0) return 'open';
			const isByClock = kindIn(evidence, 'expired', 'refresh').length > 0;
			return fail(isByClock ? 'by_clock' : 'none', rejected, { calls: rejected.length });
		},
		judged(
			refreshesIn,
			{
				new_sign_in: ({ kind }) => kind === 'authorization' || kind === 'exchange',
				no_secret: rejectedBy('token.client_authenticated', 'missing_secret'),
				other_grant: rejectedBy('token.grant_type_supported'),
				...rejections
			},
			({ kind, ok }) => kind === 'refresh' && ok
		)
	),

	/** Five rejected calls lead to one refresh. */
	one: condition(['several'], (evidence, fail) => {
		const refreshes = kindIn(evidence, 'ended', 'refresh');
		if (refreshes.length > 1) return fail('several', refreshes, { count: refreshes.length });
		return isOver(evidence, 'ended') ? metBy(refreshes) : 'open';
	}),

	/** Each rejected call is sent again with the new token. */
	repeated: condition(['old_token', 'lost'], (evidence, fail) => {
		const calls = kindIn(evidence, 'ended', 'call');
		const [refresh] = kindIn(evidence, 'ended', 'refresh');
		if (refresh === undefined || !isOver(evidence, 'ended')) return 'open';
		const old = calls.filter((call) => call.entry.seq > refresh.entry.seq && isUnauthorized(call));
		if (old.length > 0) return fail('old_token', old);
		const read = calls.filter(({ ok }) => ok);
		if (new Set(read.map(({ entry }) => entry.request.target)).size < names.length)
			return fail('lost', calls.filter(isUnauthorized), { calls: names.length, read: read.length });
		return metBy(read);
	}),

	/** The refresh token works a second time. */
	kept: first(
		['once'],
		(evidence, fail) => {
			if (!isOver(evidence, 'expired')) return 'open';
			const isRefreshed = kindIn(evidence, 'expired', 'refresh', 'other_token_request').length > 0;
			return isRefreshed ? undefined : fail('once', kindIn(evidence, 'expired', 'call'));
		},
		judged(
			(evidence) => {
				const isRead = kindIn(evidence, 'expired', 'call').some(({ ok }) => ok);
				const refreshes = kindIn(evidence, 'expired', 'refresh', 'other_token_request');
				return isRead ? refreshes : refreshes.filter(({ ok }) => !ok);
			},
			{
				lost: ({ entry }) =>
					failedAt(entry, 'token.refresh_token_present') || failedAt(entry, 'token.refresh_token_known'),
				...rejections
			},
			({ ok }) => ok
		)
	),

	/** A sign-out ends the access of the client. Another request may follow, with a token that this one ended. */
	revoked: first(
		['not_sent'],
		(evidence, fail) => {
			const sent = revocations(evidence);
			if (sent.length > 0) return sent.some(isEnding) ? 'met' : undefined;
			return evidence.step('after') === undefined
				? 'open'
				: fail('not_sent', kindIn(evidence, 'sign_in', 'exchange').slice(-1));
		},
		judged(
			revocations,
			{
				other_method: rejectedBy('revoke.method_is_get'),
				no_client: (facts) => facts.status === 400 && lacks('client_id')(facts),
				access_token: (facts) => facts.status === 400 && hasValue('access token')(facts),
				no_token: (facts) => facts.status === 400 && !hasValue('refresh token')(facts),
				...rejections
			},
			isEnding
		)
	),

	/** Nothing is sent with a token of a user who signed out. */
	forgotten: condition(['stored', 'used'], (evidence, fail) => {
		if (!isOver(evidence, 'after')) return 'open';
		const end = revocations(evidence).find(isEnding)?.entry;
		const late = kindIn(evidence, 'sign_out', 'call', 'refresh').filter(
			({ entry }) => end !== undefined && entry.seq > end.seq
		);
		if (late.length > 0) return fail('used', late);
		const calls = kindIn(evidence, 'after', 'call', 'refresh');
		return calls.length > 0 ? fail('stored', calls) : metBy(revocations(evidence));
	})
};

function refreshesIn(evidence: ExerciseEvidence): readonly Facts[] {
	return inStep('ended', 'refresh', 'other_token_request', 'exchange', 'authorization')(evidence);
}
