import type { PageRequest, PageResponse } from './reference-client.ts';
import type { TestClient } from './take-exam.ts';

const csrf = 'k3Pq';

/**
 * A client whose pages ask: the sign-in and the sign-out are forms with a token.
 * @param forms how many forms the page for the sign-out has. With several, nothing says which one it is
 */
export function withButtons(client: TestClient, forms = 1): TestClient {
	const form = (action: string, label: string) =>
		`<form method="post" action="${action}"><input type="hidden" name="csrf" value="${csrf}"><button>${label}</button></form>`;
	const several = ['/leave', '/end'].map((action) => form(action, action)).join('');
	return {
		async handle(request: PageRequest): Promise<PageResponse> {
			const { target } = request;
			if (target !== '/login' && target !== '/logout') return client.handle(request);
			if (request.form === undefined) {
				const page = target === '/login' ? form(target, 'Go on') : forms === 1 ? form(target, 'Sign out') : several;
				return { status: 200, body: `<!doctype html><a href="/">Home</a>${page}` };
			}
			const isRight = new URLSearchParams(request.form).get('csrf') === csrf;
			return isRight ? client.handle({ target, cookie: request.cookie }) : { status: 403, body: 'Wrong token' };
		}
	};
}
