import { setupServer } from 'msw/node';
import type { ExamResult } from '#api/exam.ts';
import { exam } from '#hosts/library/exam.ts';
import { handlers } from '#hosts/library/msw.ts';
import { createHostlessService } from '../conformance/hosts/direct.ts';
import { fetchOf } from './in-process.ts';
import type { ReferenceClient } from './reference-client.ts';
import { type ClientSettings } from './reference-client.ts';
import { startVirtualClock } from './virtual-clock.ts';

const page = 'http://client.test';

/** A client in this process. */
export type TestClient = Pick<ReferenceClient, 'handle'>;

/** What to examine, and how. */
export type ExamChoices = {
	readonly seed?: number;
	readonly kind?: 'web' | 'installed';
	readonly only?: readonly string[];
	readonly strict?: boolean;
};

/**
 * Examines a client in this process, by a virtual clock.
 * @param create gets the settings of the sandbox, and a `fetch` to the service
 */
export async function takeExam(
	create: (settings: ClientSettings) => TestClient,
	{ kind = 'web', ...choices }: ExamChoices = {}
): Promise<ExamResult> {
	const stopClock = startVirtualClock();
	const service = createHostlessService();
	// For clients that have another way to send requests than `fetch`.
	const network = setupServer(...handlers(service));
	network.listen({ onUnhandledRequest: 'error' });
	try {
		const origin = kind === 'web' ? page : 'http://localhost:3999';
		const redirectUri = kind === 'web' ? `${origin}/callback` : origin;
		let client: TestClient | undefined;
		return await exam({
			service,
			kind,
			redirectUri,
			...choices,
			async fetch(url, init) {
				const { pathname, search } = new URL(url);
				const cookie = new Headers(init.headers).get('cookie') ?? undefined;
				const response = await client?.handle({ target: pathname + search, cookie });
				const headers = new Headers();
				if (response?.location !== undefined) headers.set('location', response.location);
				if (response?.cookie !== undefined) headers.set('set-cookie', response.cookie);
				return new Response(response?.body, { status: response?.status ?? 502, headers });
			},
			start(settings) {
				client = create({ ...settings, fetch: fetchOf(service.handle) });
				return {
					signIn: (open) => open(`${origin}/login`),
					use: (open, name) => open(`${origin}/me?name=${encodeURIComponent(name)}`),
					signOut: (open) => open(`${origin}/logout`)
				};
			}
		});
	} finally {
		network.close();
		stopClock();
	}
}
