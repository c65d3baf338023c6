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
