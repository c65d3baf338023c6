import * as v from 'valibot';
import { text, username } from './fields.ts';

/** `GET accounts`, in the order of creation. Test cards are not among them. */
export const accounts = v.object({
	accounts: v.array(
		v.object({
			username: v.string(),
			/** How many applications have access to the account. */
			grants: v.number(),
			/** How many browsers are signed in. */
			sessions: v.number()
		})
	)
});

/** `POST accounts`. The name of a test card is a `conflict`. */
export const newAccount = v.strictObject({ username, password: text(256) });

export type Accounts = v.InferOutput<typeof accounts>;
export type NewAccount = v.InferInput<typeof newAccount>;
