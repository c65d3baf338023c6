/** What an attacker makes of a state. */
export type StateChange = (state: string) => string;

/** Small letters in place of capital ones, and the other way round. A state without letters gets a longer end. */
export const withOtherCase: StateChange = (state) => {
	const changed = state.replace(/[a-z]/gi, (sign) => (sign < 'a' ? sign.toLowerCase() : sign.toUpperCase()));
	return changed === state ? `${state}x` : changed;
};

/** Other characters in the middle of a state. Its start, its end and its length stay: some clients compare only these. */
export const withOtherMiddle: StateChange = (state) => {
	const from = Math.min(20, Math.floor(state.length / 2));
	const to = state.length - Math.min(8, Math.floor(state.length / 4));
	const middle = state.slice(from, to).replace(/./gs, (sign) => (sign === 'x' ? 'y' : 'x'));
	return state.slice(0, from) + middle + state.slice(to);
};
