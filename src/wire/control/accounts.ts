import * as v from 'valibot';
import { text, username } from './fields.ts';

/** `GET accounts`. */
export const accounts = v.object({ accounts: v.array(v.object({ username: v.string() })) });

/** `POST accounts`. */
export const newAccount = v.strictObject({ username, password: text(256) });

export type Accounts = v.InferOutput<typeof accounts>;
export type NewAccount = v.InferInput<typeof newAccount>;
