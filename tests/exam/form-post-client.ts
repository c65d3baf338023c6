import { hiddenFields } from '#lib/html.ts';
import type { PageRequest, PageResponse } from './reference-client.ts';
import type { TestClient } from './take-exam.ts';

/**
 * A client that gets its authorization responses as forms: its redirect URI takes POST requests only.
 * @param sameSite of its cookie. A browser sends it with such a form only if it is `None; Secure`
 */
export function withForms(client: TestClient, sameSite = 'None; Secure'): TestClient {
	return withCookies(sameSite, {
		async handle({ target, cookie, form }: PageRequest): Promise<PageResponse> {
			if (target.startsWith('/callback'))
				return form === undefined
					? { status: 405, body: 'Only POST is allowed.' }
					: client.handle({ target: `/callback?${form}`, cookie });
			const { location, ...response } = await client.handle({ target, cookie });
			if (location === undefined) return response;
			return { ...response, location: target === '/login' ? `${location}&response_mode=form_post` : location };
		}
	});
}

/** A client with another `SameSite` of its cookie. */
export function withCookies(sameSite: string, client: TestClient): TestClient {
	return {
		async handle(request: PageRequest): Promise<PageResponse> {
			const { cookie, ...response } = await client.handle(request);
			return cookie === undefined
				? response
				: { ...response, cookie: cookie.replace(' SameSite=Lax;', sameSite === '' ? '' : ` SameSite=${sameSite};`) };
		}
	};
}

/** A client that sends its authorization requests as forms, by a script of its page. */
export function withPostedRequests(client: TestClient): TestClient {
	return {
		async handle(request: PageRequest): Promise<PageResponse> {
			const { location, ...response } = await client.handle(request);
			if (location === undefined || !request.target.startsWith('/login'))
				return location === undefined ? response : { ...response, location };
			const { origin, pathname, searchParams } = new URL(location);
			const inputs = hiddenFields(Object.fromEntries(searchParams)).map(({ html }) => html);
			const form = `<form method="post" action="${origin}${pathname}">${inputs.join('')}</form>`;
			return { ...response, status: 200, body: `${form}<script>document.forms[0].submit()</script>` };
		}
	};
}
