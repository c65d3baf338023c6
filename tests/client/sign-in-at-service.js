/**
 * Signs a user in at the service and approves the request, as a browser would.
 * @param {(url: string, init: RequestInit) => Promise<Response>} fetch
 * @param {URL} url the authorization URL
 * @param {{ username?: string, decision?: 'approve' | 'deny' }} [choice]
 * @returns {Promise<{ callback: URL | undefined, page: string }>} the redirect to the client, or the page that shows the code
 */
export async function signInAtService(fetch, url, { username = 'player-one', decision = 'approve' } = {}) {
	/** @type {Map<string, string>} */
	const cookies = new Map();
	const redirectUri = url.searchParams.get('redirect_uri');
	/** A pushed request has its redirect URI elsewhere. @param {string} location */
	const isCallback = (location) =>
		redirectUri === null ? !location.startsWith(`${url.origin}${url.pathname}`) : location.startsWith(redirectUri);
	/** @param {string} target @param {RequestInit} [init] */
	const open = async (target, init = {}) => {
		const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
		const headers = { ...init.headers, accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
		const response = await fetch(target, { ...init, headers, redirect: 'manual' });
		for (const line of response.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			cookies.set(name, value);
		}
		return response;
	};
	let response = await open(url.href);
	for (let steps = 0; steps < 8; steps += 1) {
		const location = response.headers.get('location');
		if (location !== null && isCallback(location)) return { callback: new URL(location), page: '' };
		const page = await response.text();
		if (location !== null) response = await open(new URL(location, url).href);
		else {
			const action = /<form[^>]*>/.test(page) && !page.includes('<title>Success') ? formOf(page) : undefined;
			if (action === undefined) return { callback: undefined, page };
			if (page.includes('name="password"')) {
				action.set('username', username);
				action.set('password', 'demo');
			} else action.set('decision', decision);
			const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url.origin };
			const target = `${url.origin}${url.pathname}`;
			response = await open(target, { method: 'POST', headers, body: action.toString() });
		}
	}
	throw new Error(`the service did not finish the sign-in: ${response.status}`);
}

/** The hidden fields of a form. @param {string} page */
function formOf(page) {
	const form = new URLSearchParams();
	for (const [tag] of page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
		form.set(/name="([^"]*)"/.exec(tag)?.[1] ?? '', /value="([^"]*)"/.exec(tag)?.[1] ?? '');
	}
	return form;
}
