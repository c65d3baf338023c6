import type { DialectName } from '#api/dialect.ts';
import type { ExamResult, Finding } from '#api/exam.ts';
import type { Fetch } from '#exam/browser.ts';
import type { ExamChoices } from '#exam/exam-choices.ts';
import { withVerdict } from '#exam/report/findings.ts';
import { providerTarget } from '#service/provider/provider-urls.ts';
import { describeOwn, findProvider, readProviderNames, worldOf } from '#service/provider/providers.ts';
import { ownProvider } from '#api/dialect.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { providerFetch } from '#exam/provider-fetch.ts';
import { runExam } from '#exam/run-exam.ts';
import { createExamSandbox, deleteExamSandbox } from '#exam/sandbox.ts';
import { createWebDriver, type ClientActions } from '#exam/web-driver.ts';
import { handleFetch } from '../msw/fetch-adapter.ts';
import type { TollgateService } from './tollgate.ts';

export type { ExamResult, Finding } from '#api/exam.ts';
export type { ClientActions, Open } from '#exam/web-driver.ts';

/** What the client under test has to know about the service. */
export type ClientSettings = {
	/** The base URL of the sandbox of the exam, without a trailing slash. */
	readonly baseUrl: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly redirectUri: string;
};

/** What to examine, and how. */
export type Examination = ExamChoices & {
	/** The service that the client calls, for example through `handlers(service)` of `tollgate/msw`. */
	readonly service: Pick<TollgateService, 'origin' | 'handle'>;
	/** Default: `web`. */
	readonly kind?: 'web' | 'installed';
	/** Of the client. An installed client may use `http://localhost` with any port. */
	readonly redirectUri: string;
	/** Further origins of the client's pages. Default: that of `redirectUri` only. */
	readonly origins?: readonly string[];
	/** Starts the client with these settings, and returns how a user operates it. */
	readonly start: (settings: ClientSettings) => ClientActions | Promise<ClientActions>;
	/** Sends requests to the pages of the client. Must not follow redirects. Default: the global `fetch`. */
	readonly fetch?: Fetch;
	/** `standard`: for a client of today's standards. Its issuer is the base URL. Default: `specification`. */
	readonly dialect?: DialectName;
	/**
	 * The simulated provider that the client knows, such as `github`. Rules that it makes impossible are left out. `start` leads its real
	 * URLs to the sandbox: `handlers(service, { as: 'github', url: baseUrl })`. `own`: the API that the world of the service describes,
	 * which the client knows below `{baseUrl}/as/own`.
	 */
	readonly as?: string;
	/** False: the dialect of the specification also accepts Bearer tokens and HTTP Basic. Default: true. */
	readonly strict?: boolean;
};

export type ExamReport = ExamResult & { readonly failed: readonly Finding[] };

/**
 * Examines an OAuth client in a test. The exam has its own sandbox, and lasts about half a minute.
 * @throws ControlError if the service creates no sandbox, for example because it has an `adminKey`
 * @throws TypeError for a provider that is not simulated
 * @example
 * const { failed } = await exam({
 * 	service,
 * 	redirectUri: 'http://localhost:3000/callback',
 * 	start: async (settings) => {
 * 		await startApp(settings);
 * 		return {
 * 			signIn: (open) => open('http://localhost:3000/login'),
 * 			use: (open, name) => open(`http://localhost:3000/me?name=${encodeURIComponent(name)}`)
 * 		};
 * 	}
 * });
 * expect(failed).toEqual([]);
 */
export async function exam(examination: Examination): Promise<ExamReport> {
	const {
		service,
		kind = 'web',
		redirectUri,
		start,
		as,
		dialect = as === undefined ? 'specification' : 'standard',
		strict = true,
		origins = [],
		fetch: openPage = fetchPage,
		...options
	} = examination;
	const send: Fetch = async (url, init) => {
		if (new URL(url).origin !== service.origin) return openPage(url, init);
		const response = await handleFetch(service.handle, new Request(url, init), { base: '', peer: '127.0.0.1' });
		if (response.type === 'error') throw new TypeError('There was no response.');
		return response;
	};
	if (as === ownProvider) await describeOwnOf(new ControlApi(service.origin, send));
	const names = readProviderNames(as ?? []);
	const fetch = providerFetch(send, service.origin, as);
	const sandbox = await createExamSandbox({
		rootUrl: service.origin,
		fetch,
		kind,
		dialect,
		provider: findProvider(as),
		strict,
		...(kind === 'web' || dialect === 'standard' ? { redirectUris: [redirectUri] } : {})
	});
	try {
		const { api, client_id: clientId, client_secret: clientSecret } = sandbox;
		const actions = await start({ baseUrl: api.baseUrl, clientId, clientSecret, redirectUri });
		const now = options.timers?.now ?? Date.now;
		const driver = createWebDriver(actions, {
			baseUrl: api.baseUrl,
			locate(url) {
				const target = providerTarget(url, names);
				return target && api.baseUrl + target;
			},
			origins: [new URL(redirectUri).origin, ...origins],
			opensLocalhost: kind === 'installed',
			fetch,
			...(kind === 'web' && { secret: clientSecret }),
			now
		});
		try {
			const result = await runExam({ sandbox, driver, ...options });
			return { ...result, failed: withVerdict(result, 'failed') };
		} finally {
			await driver.stop();
		}
	} finally {
		await deleteExamSandbox(sandbox);
	}
}

/**
 * Reads what the world of a service describes.
 * @throws TypeError where it describes no API
 */
async function describeOwnOf(api: ControlApi): Promise<void> {
	const { provider } = worldOf((await api.request('GET /control/provider')).provider);
	if (provider === undefined) throw new TypeError('The world of the service describes no API. Add "provider" to it.');
	describeOwn(provider);
}

const fetchPage: Fetch = (url, init) => globalThis.fetch(url, { ...init, redirect: 'manual' });
