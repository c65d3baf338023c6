import type { Condition } from './condition.ts';
import { exchangedCode } from '#evidence/exchanges.ts';

/** A user signed in. Lessons that are about what comes afterwards begin with it. */
export const signedIn: Condition = {
	id: 'signed_in',
	label: 'The application got a token',
	unmet: 'No application has a token yet. Sign in and allow access.',
	shownBy: ({ entries }) => {
		const found = entries.find(exchangedCode);
		return found && [found];
	}
};
