import type { Endpoints } from '../endpoints.ts';
import type { Journal } from '../events.ts';
import { Problem } from '../problems.ts';
import { hasFields, treeOfJson } from '../xml.ts';

/**
 * Ends the sign-in session that this browser has at the service, as its account page would: it is the person who leaves,
 * not the application, so this goes with the browser's cookie and carries no token.
 * @returns who was signed in; undefined where nobody was
 * @throws {Problem} `unreadable` where the account page did not answer as expected, or did not let the person leave
 */
export async function leaveService(endpoints: Endpoints, journal: Journal): Promise<string | undefined> {
	const accept = 'application/json';
	const answer = await fetch(endpoints.account, { headers: { accept }, credentials: 'same-origin', cache: 'no-store' });
	const account = treeOfJson(await answer.text());
	if (!answer.ok || !hasFields(account)) throw new Problem('unreadable', '', { status: answer.status });
	const { signed_in, username, form } = account;
	if (signed_in !== true || typeof username !== 'string' || !hasFields(form) || !hasFields(form.fields))
		return undefined;
	const fields = Object.entries(form.fields).map(([name, value]) => [name, typeof value === 'string' ? value : '']);
	const body = new URLSearchParams([...fields, ['action', 'sign-out']]);
	const left = await fetch(endpoints.account, {
		method: 'POST',
		body,
		headers: { accept },
		credentials: 'same-origin'
	});
	if (!left.ok) throw new Problem('unreadable', '', { status: left.status });
	journal.tell({
		kind: 'noticed',
		what: 'The person has signed out at the service',
		facts: [['who', username]],
		section: '1'
	});
	return username;
}
