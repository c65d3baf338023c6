import * as v from 'valibot';
import { account } from '#api/protocol/account.ts';

type Account = v.InferOutput<typeof account>;

/** The password of every account of an exam. */
const password = 'demo';

/**
 * Signs in this browser at the service, in place of the user who is signed in. The user then only has to allow access.
 * @param baseUrl of the sandbox
 * @throws {Error} if the service rejects it
 */
export async function signInAtService(baseUrl: string, username: string): Promise<void> {
	const url = `${baseUrl}/account`;
	const headers = { accept: 'application/json' };
	const read = async () => v.parse(account, await (await fetch(url, { headers, cache: 'no-store' })).json());
	const send = ({ form }: Account, fields: Record<string, string>) =>
		fetch(url, { method: 'POST', headers, body: new URLSearchParams({ ...form.fields, ...fields }) });
	const before = await read();
	if (before.signed_in) {
		if (before.username === username) return;
		await send(before, { action: 'sign-out' });
	}
	const form = before.signed_in ? await read() : before;
	await send(form, { action: 'sign-in', username, password });
	const after = await read();
	if (!after.signed_in || after.username !== username) throw new Error(`The service did not sign in ${username}.`);
}
