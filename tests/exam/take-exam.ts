import { setupServer } from 'msw/node';
import type { DialectName } from '#api/dialect.ts';
import type { ExamResult } from '#api/exam.ts';
import { Browser, type Fetch } from '#exam/browser.ts';
import { userName } from '#exam/sandbox.ts';
import { realTimers } from '#exam/timers.ts';
import { exam } from '#hosts/library/exam.ts';
import { handlers } from '#hosts/library/msw.ts';
import { createHostlessService } from '../conformance/hosts/direct.ts';
import { fetchOf } from './in-process.ts';
import type { PageRequest, PageResponse } from './reference-client.ts';
import { type ClientSettings } from './reference-client.ts';
import { startVirtualClock } from './virtual-clock.ts';

/** Browsers keep secure cookies of localhost. */
const page = 'http://localhost:3998';

/** A client in this process. */
export type TestClient = { handle(request: PageRequest): Promise<PageResponse> | PageResponse };

/** What to examine, and how. */
export type ExamChoices = {
	readonly seed?: number;
	readonly kind?: 'web' | 'installed';
	readonly only?: readonly string[];
	readonly dialect?: DialectName;
	/** The simulated provider that the client knows by its real URLs. */
	readonly as?: string;
	readonly strict?: boolean;
	/** Of the service. Default: the demo world. */
	readonly world?: object;
	/** Default: none. */
	readonly conditions?: readonly Condition[];
};

/** What happens during an exam without changing its verdicts. */
export type Condition = 'each response takes 3 s' | 'each page is loaded twice' | 'another user uses the client';

/**
 * Examines a client in this process, by a virtual clock.
 * @param create gets the settings of the sandbox, and a `fetch` to the service
 */
export async function takeExam(
	create: (settings: ClientSettings) => TestClient,
	{ kind = 'web', conditions = [], world, ...choices }: ExamChoices = {}
): Promise<ExamResult> {
	const stopClock = startVirtualClock();
	const hostless = createHostlessService(undefined, undefined, world);
	const isSlow = conditions.includes('each response takes 3 s');
	const service = isSlow ? { ...hostless, handle: delayed(hostless.handle, 3000) } : hostless;
	const isOver = new AbortController();
	// For clients that have another way to send requests than `fetch`.
	const network = setupServer(...handlers(service));
	network.listen({ onUnhandledRequest: 'error' });
	try {
		const origin = kind === 'web' ? page : 'http://localhost:3999';
		const redirectUri = kind === 'web' ? `${origin}/callback` : origin;
		let client: TestClient | undefined;
		let otherUser: Promise<void> | undefined;
		const load = async (url: string, init: RequestInit) => {
			const { pathname, search } = new URL(url);
			const cookie = new Headers(init.headers).get('cookie') ?? undefined;
			const form = init.body instanceof URLSearchParams ? init.body.toString() : undefined;
			const response = await client?.handle({ target: pathname + search, cookie, form });
			const type = response?.type ?? 'text/html; charset=utf-8';
			const headers = new Headers({ 'content-type': type, ...response?.headers });
			if (response?.location !== undefined) headers.set('location', response.location);
			if (response?.cookie !== undefined) headers.set('set-cookie', response.cookie);
			return new Response(response?.body, { status: response?.status ?? 502, headers });
		};
		const reload = async (url: string, init: RequestInit) => {
			const first = await load(url, init);
			// A browser that is redirected shows another page, and reloads that one.
			if (!first.headers.has('location')) await load(url, init);
			return first;
		};
		const openPage = conditions.includes('each page is loaded twice') ? reload : load;
		const result = await exam({
			service,
			kind,
			redirectUri,
			...choices,
			...(isSlow ? { timeLimit: 3_600_000 } : {}),
			fetch: openPage,
			start(settings) {
				const send = fetchOf(service.handle);
				if (choices.as !== undefined) network.use(...handlers(service, { as: choices.as, url: settings.baseUrl }));
				client = create({ ...settings, fetch: send });
				if (conditions.includes('another user uses the client')) {
					const { baseUrl } = settings;
					const fetch: Fetch = (url, init) => (url.startsWith(`${origin}/`) ? openPage(url, init) : send(url, init));
					otherUser = useClient(
						new Browser({ baseUrl, origins: [origin], fetch, now: Date.now }),
						origin,
						isOver.signal
					);
				}
				return {
					signIn: (open) => open(`${origin}/login`),
					use: (open, name) => open(`${origin}/me?name=${encodeURIComponent(name)}`),
					signOut: (open) => open(`${origin}/logout`)
				};
			}
		});
		isOver.abort();
		await otherUser;
		return result;
	} finally {
		isOver.abort();
		network.close();
		stopClock();
	}
}

/** A user who signs in, and reads a character every two seconds. */
async function useClient(browser: Browser, origin: string, signal: AbortSignal): Promise<void> {
	const names = ['Mara Vell', "Tomas d'Arc", 'Half/Life'];
	for (let count = 0; !signal.aborted; count += 1) {
		const name = encodeURIComponent(names[count % names.length] ?? '');
		const { text } = await browser.open(`${origin}/me?name=${name}`);
		if (text.includes('Sign in first')) await browser.open(`${origin}/login`, { username: userName(59) });
		await realTimers.sleep(2000, signal);
	}
}

function delayed<Request extends unknown[], Result>(
	handle: (...request: Request) => Promise<Result>,
	milliseconds: number
): (...request: Request) => Promise<Result> {
	return async (...request) => {
		const result = await handle(...request);
		await realTimers.sleep(milliseconds);
		return result;
	};
}
