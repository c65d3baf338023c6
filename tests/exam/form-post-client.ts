import { hiddenFields } from '#api/html.ts';
import type { PageRequest, PageResponse } from './reference-client.ts';
import type { TestClient } from './take-exam.ts';

/** A client that gets its authorization responses as forms: its redirect URI takes POST requests only. */
export function withForms(client: TestClient): TestClient {
	return {
		async handle({ target, cookie, form }: PageRequest): Promise<PageResponse> {
			if (target.startsWith('/callback'))
				return form === undefined
					? { status: 405, body: 'Only POST is allowed.' }
					: client.handle({ target: `/callback?${form}`, cookie });
			const { location, ...response } = await client.handle({ target, cookie });
			if (location === undefined) return response;
			return { ...response, location: target === '/login' ? `${location}&response_mode=form_post` : location };
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
