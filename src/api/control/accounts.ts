import * as v from 'valibot';
import { declare } from '../declare.ts';
import { deleted, text, username } from './fields.ts';

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

export const accountsApi = declare({
	'GET /control/accounts': {
		id: 'listAccounts',
		tag: 'Accounts',
		summary: 'List accounts',
		description: 'Lists the accounts: `username`, and how many `grants` and `sessions` each has.',
		responses: { 200: { description: 'All user names.', json: accounts } }
	},
	'POST /control/accounts': {
		id: 'createAccount',
		tag: 'Accounts',
		summary: 'Create an account',
		description:
			'Creates an account: `{"username","password"}`. A name has 1 to 32 of the characters `a-z 0-9 . _ -`. A name that is taken gets 409 `conflict`.',
		body: { schema: newAccount, example: { username: 'new-user', password: 'demo' } },
		responses: { 201: { description: 'The account.', json: v.object({ username: v.string() }) } },
		errors: { 409: 'The name is taken, or the sandbox has too many accounts.' }
	},
	'DELETE /control/accounts/{username}': {
		id: 'deleteAccount',
		tag: 'Accounts',
		summary: 'Delete an account',
		description: 'Deletes an account, revokes its grants and ends its sessions.',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: { 404: 'There is no account with this name.', 409: 'The name is that of a test card.' }
	}
});

export type Accounts = v.InferOutput<typeof accounts>;
