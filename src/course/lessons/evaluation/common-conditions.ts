import type { Condition } from './condition.ts';
import { exchangedCode } from '#evidence/exchanges.ts';

/** The user who signs in, where the steps of a lesson name one. */
export const learner = 'player-one';

/** The account of the attacker. */
export const attacker = 'player-three';

/** The learner's user signed in. Lessons that are about what comes afterwards begin with it. */
export const signedIn: Condition = {
	id: 'signed_in',
	label: 'The application got a token',
	unmet: 'No application has a token yet. Sign in and allow access.',
	user: learner,
	shows: exchangedCode
};
