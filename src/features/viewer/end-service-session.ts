import { ClientError } from '#client/oauth/client-error.ts';
import type { Fetch } from '#client/oauth/send-request.ts';
import { isObject, parseJson } from '#client/rate-limit/json-value.ts';

/**
 * Signs the user out of the service in this browser, as its account page does. The browser sends its session cookie; tokens are
 * not involved.
 * @param url of the account page
 * @throws {ClientError} `unexpected_response`
 */
export async function endServiceSession(fetch: Fetch, url: string): Promise<void> {
	const options = { headers: { accept: 'application/json' }, credentials: 'same-origin', cache: 'no-store' } as const;
	const response = await fetch(url, options);
	const account = parseJson(await response.text());
	if (!response.ok || !isObject(account)) throw new ClientError('unexpected_response', '', { status: response.status });
	const { signed_in, form } = account;
	if (signed_in !== true || !isObject(form) || !isObject(form.fields)) return;
	const body = new URLSearchParams({ action: 'sign-out' });
	for (const [name, value] of Object.entries(form.fields)) if (typeof value === 'string') body.set(name, value);
	const { ok, status } = await fetch(url, { ...options, method: 'POST', body });
	if (!ok) throw new ClientError('unexpected_response', '', { status });
}
