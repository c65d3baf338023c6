import { failedAt } from '#evidence/exchanges.ts';
import { queryParameter, valueOf, type Facts } from '#evidence/facts.ts';
import type { ExerciseCode } from '../exercise.ts';
import {
	authorizations,
	condition,
	gotToken,
	inStep,
	judged,
	lacks,
	metBy,
	rejectedBy,
	rejections,
	withoutSecret
} from '../shared/judgments.ts';
import { signedIn } from '../shared/results.ts';

const signIns = 3;
/** Sign-ins further apart than this are those of two browsers, for the rules. In milliseconds. */
const otherBrowser = 11 * 60_000;

const opened = ({ entry, ok }: Facts) => ok && !failedAt(entry, 'auth.redirect_uri_registered');

/** Values with fewer random bits can be guessed. */
const enoughBits = 40;

/** How many bits a character of these values has at most. */
function bitsOf(values: readonly string[]): number {
	const text = values.join('');
	return /^\d*$/.test(text) ? Math.log2(10) : /^[\da-f-]*$/i.test(text) ? 4 : 6;
}

/** What values share that follow each other, place by place, is not random. */
const differences = (one: string, other: string): number =>
	[...other].filter((sign, at) => sign !== one[at]).length + Math.max(0, one.length - other.length);

/** Whether one of the values of several sign-ins follows from the one before. @param values oldest first, all different */
function canBeGuessed(values: readonly string[]): boolean {
	return values.slice(1).some((value, at) => differences(values[at] ?? '', value) * bitsOf(values) < enoughBits);
}

/** As many characters in a row are not equal by chance. */
const sharedPart = 12;

/** Whether a verifier is another value than a state, and has a part of it, in either direction. */
function isPartly(verifier: string, state: string): boolean {
	const backwards = [...verifier].reverse().join('');
	const parts = Array.from({ length: Math.max(0, state.length - sharedPart + 1) }, (_, at) =>
		state.slice(at, at + sharedPart)
	);
	return verifier !== state && parts.some((part) => verifier.includes(part) || backwards.includes(part));
}

/** Whether two of the values are equal. */
const hasRepeats = (values: readonly unknown[]): boolean => new Set(values).size < values.length;

export const code: ExerciseCode = {
	async use(run) {
		for (let count = 1; count <= signIns; count++) {
			run.step(`sign_in_${count}`);
			const result = await run.call('signIn', signedIn);
			if (result.error !== undefined && count === 1) return;
			// The last two are so close that no value is too old to be used again.
			if (count === 1) run.clock.advance(otherBrowser);
		}
	},
	conditions: {
		redirect_uri: judged(
			authorizations,
			{
				none: (facts) => failedAt(facts.entry, 'auth.redirect_uri_registered') && lacks('redirect_uri')(facts),
				other: rejectedBy('auth.redirect_uri_registered'),
				unknown_client: rejectedBy('auth.client_known')
			},
			({ entry }) => !failedAt(entry, 'auth.redirect_uri_registered')
		),
		accepted: judged(
			authorizations,
			{
				other_type: rejectedBy('auth.response_type_is_code'),
				unknown_scope: rejectedBy('auth.scope_known'),
				no_method: ({ entry }) =>
					failedAt(entry, 'auth.code_challenge_is_s256') && queryParameter(entry, 'code_challenge_method') !== 'S256',
				...rejections
			},
			opened
		),
		no_secret: withoutSecret(authorizations, opened),
		state: condition(['none', 'same', 'guessable'], ({ run, arrivals }, fail) => {
			const requests = run.authorizations.filter(opened);
			const without = requests.filter(({ entry }) => valueOf(entry, 'state') === undefined);
			if (without.length > 0) return fail('none', without);
			const states = requests.map(({ entry }) => valueOf(entry, 'state'));
			if (hasRepeats(states.map((state) => state?.id))) return fail('same', requests);
			const sent = arrivals.map(({ url }) => url.searchParams.get('state') ?? '');
			if (states.some((state) => (state?.bits ?? 256) < 64) || canBeGuessed(sent)) return fail('guessable', requests);
			return requests.length < signIns ? 'open' : metBy(requests);
		}),
		challenge: judged(
			({ run }) => [...run.authorizations.filter(opened), ...run.tokenRequests],
			{
				none: (facts) => facts.kind === 'authorization' && lacks('code_challenge')(facts),
				verifier: rejectedBy('token.code_verifier_matches', 'verifier_is_challenge'),
				other: rejectedBy('token.code_verifier_matches')
			},
			gotToken
		),
		code: judged(inStep('sign_in_1', 'exchange', 'other_token_request'), rejections, gotToken),
		verifier: condition(['same', 'guessable', 'from_state'], ({ run, arrivals, verifiers, step }, fail) => {
			if (step(`sign_in_${signIns}`)?.isOver !== true) return 'open';
			if (hasRepeats(verifiers)) return fail('same', run.authorizations);
			if (canBeGuessed(verifiers)) return fail('guessable', run.authorizations);
			const states = arrivals.map(({ url }) => url.searchParams.get('state') ?? '');
			if (verifiers.some((verifier) => states.some((state) => isPartly(verifier, state))))
				return fail('from_state', run.authorizations);
			return verifiers.length < signIns ? 'open' : metBy(run.exchanges);
		})
	}
};
