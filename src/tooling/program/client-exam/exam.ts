import { randomUUID } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import spinnerOf from 'yocto-spinner';
import type { ExamResult } from '#api/exam.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { ControlError } from '#client/control-api/control-api.ts';
import { allRules } from '#evidence/all-rules.ts';
import { dialectText, withVerdict } from '#exam/report/findings.ts';
import { toGithubErrors } from '#exam/report/github.ts';
import { toJson } from '#exam/report/json.ts';
import { toJunit } from '#exam/report/junit.ts';
import { toMarkdown } from '#exam/report/markdown.ts';
import { toText } from '#exam/report/text.ts';
import { orderOf } from '#exam/order.ts';
import { runExam } from '#exam/run-exam.ts';
import { createExamSandbox, deleteExamSandbox, type ExamProvider, type ExamSandbox } from '#exam/sandbox.ts';
import { actionsOf, createWebDriver } from '#exam/web-driver.ts';
import { isPage, nameOptions, UsageError, type Choices } from './choices.ts';
import { ClientProcess, ExaminedClientError, statusOf } from './client-process.ts';
import { commandActions } from './command-client.ts';
import type { ProviderRoutes } from './exam-provider.ts';
import { remoteExamService, startExamService, type ExamService } from './exam-service.ts';

/** What `npx tollgate exam` returns to the shell. */
export const exitCodes = { passed: 0, failed: 1, usage: 2, client: 3, timeLimit: 4, interrupted: 130 } as const;

/** How long a client may take to start, in milliseconds. */
const startTime = 30_000;

/**
 * Examines a client: starts the service and the client, runs the exam, prints and writes the result, and ends both.
 * @param signal ends the exam early
 * @param hook URL of the built `route-hosts.js`
 * @returns the exit code
 * @throws UsageError for choices that cannot be used
 */
export async function exam(choices: Choices, signal: AbortSignal, hook: string): Promise<number> {
	checkChoices(choices);
	const provider = choices.provider === undefined ? undefined : await readProvider(choices.provider);
	if (await isTaken(choices)) {
		console.error(`${choices.signIn} responds before the client has started. End the program that uses this port.`);
		return exitCodes.client;
	}
	const direct = choices.url === undefined ? await startExamService() : remoteExamService(choices.url);
	const service =
		provider === undefined ? direct : { ...direct, fetch: provider.fetchOf(direct.fetch, direct.rootUrl) };
	try {
		const sandbox = await createSandbox(choices, service, provider?.judged);
		const routes = await provider?.start({ baseUrl: sandbox.api.baseUrl, ca: service.ca }, service.folder ?? '', hook);
		try {
			return await examine(choices, service, sandbox, signal, routes);
		} finally {
			await routes?.close();
			await deleteExamSandbox(sandbox).catch(() => undefined);
		}
	} finally {
		await service.close();
	}
}

async function examine(
	choices: Choices,
	service: ExamService,
	sandbox: ExamSandbox,
	signal: AbortSignal,
	routes: ProviderRoutes | undefined
): Promise<number> {
	const mark = randomUUID();
	const env = { ...process.env, ...variablesOf(choices, service, sandbox), ...routes?.env };
	const { command, signIn, use, signOut, kind, seed } = choices;
	const client = command.length === 0 ? undefined : new ClientProcess(command, env, mark);
	const killAtExit = () => client?.kill();
	process.once('exit', killAtExit);
	const urls = { signIn, ...(use === undefined ? {} : { use }), ...(signOut === undefined ? {} : { signOut }) };
	const actions = isPage(signIn) ? actionsOf(urls) : commandActions(urls, env, mark);
	const driver = createWebDriver(actions, {
		baseUrl: sandbox.api.baseUrl,
		...(routes !== undefined && { locate: routes.locate }),
		origins: originsOf(choices),
		opensLocalhost: kind === 'installed',
		fetch: service.fetch,
		...(kind === 'web' && { secret: sandbox.client_secret }),
		now: () => Date.now()
	});
	try {
		const started = Date.now();
		if (isPage(signIn)) await client?.ready(signIn, startTime, signal);
		const { dialect, provider } = sandbox;
		const spoken = dialectText({ dialect, ...(provider === undefined ? {} : { provider: provider.short }) });
		const named = spoken === undefined ? '' : ` · ${spoken}`;
		console.log(`\n  Tollgate exam · seed ${seed} · ${sandbox.client_id}, ${kind}${named}`);
		if (client !== undefined)
			console.log(`  ${command.join(' ')} is ready after ${((Date.now() - started) / 1000).toFixed(1)} s.`);
		console.log();
		const requests = new Map<string, string>();
		const failure = new AbortController();
		let reason: string | undefined;
		void client?.ended.then((sentence) => {
			reason = sentence;
			failure.abort();
		});
		const examined = await withSpinner((onStep) =>
			runExam({
				sandbox,
				driver,
				seed,
				...(choices.timeLimit === undefined ? {} : { timeLimit: choices.timeLimit }),
				signal: AbortSignal.any([signal, failure.signal]),
				onEntry: (entry) => requests.set(entry.id, wordsOf(entry)),
				onProgress: (progress) => progress.type === 'probe' && onStep(progress.probe),
				...(choices.only === undefined ? {} : { only: choices.only }),
				...(choices.skip === undefined ? {} : { skip: choices.skip })
			})
		);
		const result = nameOptions(examined, choices);
		report(choices, requests, result);
		if (reason !== undefined) throw new ExaminedClientError(`${reason} The exam was not complete.`);
		if (signal.aborted) return exitCodes.interrupted;
		return exitCodeOf(result, choices.failOn, client?.output);
	} catch (error) {
		if (error instanceof ControlError) console.error(serviceFailure(error, service.rootUrl));
		else if (error instanceof ExaminedClientError) console.error(`${error.message}${outputOf(client?.output)}`);
		else throw error;
		return exitCodes.client;
	} finally {
		await driver.stop();
		await client?.stop();
		process.off('exit', killAtExit);
	}
}

/** Why the service ended the exam, and what to do. */
function serviceFailure({ status, message }: ControlError, rootUrl: string): string {
	const reason =
		status === 0
			? 'no longer responds. Start it'
			: status === 404
				? 'has lost the sandbox of the exam, because it was started again without its data. Set STORE=disk there'
				: `ended the exam: ${message} Correct that`;
	return `The service at ${rootUrl} ${reason}, and examine the client again.`;
}

/** Loads what few exams need. @throws UsageError for a provider that is not simulated */
async function readProvider(name: string) {
	const { readExamProvider } = await import('./exam-provider.ts');
	return readExamProvider(name);
}

function checkChoices({ signIn, command, only = [], skip = [], junit, json }: Choices): void {
	if (isPage(signIn) && command.length === 0)
		throw new UsageError('Write the command that starts the client behind two dashes: … -- npm start');
	for (const pattern of [...only, ...skip]) {
		const area = /^(\w+)\.\*$/.exec(pattern)?.[1];
		const isKnown = allRules.some(({ id }) => id === pattern || (area !== undefined && id.startsWith(`${area}.`)));
		if (!isKnown)
			throw new UsageError(
				`There is no rule ${pattern}. Rules have names such as callback.denial, areas such as callback.*.`
			);
	}
	checkFiles({ junit, json });
}

/** Whether another program responds at the sign-in page of a client that has not started. */
async function isTaken({ signIn, command }: Choices): Promise<boolean> {
	return isPage(signIn) && command.length > 0 && (await statusOf(signIn)) !== undefined;
}

async function createSandbox(
	{ kind, redirectUris, dialect, strict, key }: Choices,
	service: ExamService,
	provider: ExamProvider | undefined
): Promise<ExamSandbox> {
	try {
		return await createExamSandbox({
			rootUrl: service.rootUrl,
			fetch: service.fetch,
			kind,
			dialect,
			provider,
			strict,
			...(kind === 'installed' && dialect !== 'standard' ? {} : { redirectUris }),
			...(key === undefined ? {} : { key })
		});
	} catch (error) {
		if (!(error instanceof ControlError)) throw error;
		throw new UsageError(`Cannot create a sandbox at ${service.rootUrl}. ${error.message}`);
	}
}

/** What the client needs to know. */
function variablesOf(
	{ redirectUris: [redirectUri = 'http://localhost'], variables }: Choices,
	{ trust }: ExamService,
	sandbox: ExamSandbox
): Record<string, string> {
	const values: Readonly<Record<string, string>> = {
		base_url: sandbox.api.baseUrl,
		client_id: sandbox.client_id,
		client_secret: sandbox.client_secret,
		redirect_uri: redirectUri,
		ca_file: trust.SSL_CERT_FILE ?? ''
	};
	const filled = [...variables].map(([name, text]): [string, string] => [
		name,
		text.replaceAll(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole)
	]);
	return {
		...trust,
		TOLLGATE_BASE_URL: values.base_url ?? '',
		TOLLGATE_CLIENT_ID: values.client_id ?? '',
		TOLLGATE_CLIENT_SECRET: values.client_secret ?? '',
		TOLLGATE_REDIRECT_URI: values.redirect_uri ?? '',
		...Object.fromEntries(filled)
	};
}

/** The origins of the client's pages. */
function originsOf({ signIn, use, signOut, redirectUris }: Choices): string[] {
	const pages = [signIn, use, signOut, ...redirectUris].filter((url) => url !== undefined && isPage(url));
	return [...new Set(pages.map((url) => new URL(url ?? '').origin))];
}

function report(choices: Choices, requests: ReadonlyMap<string, string>, result: ExamResult): void {
	const isColored = process.stdout.isTTY && !process.env.NO_COLOR;
	console.log(toText(result, { isColored, requests }));
	writeReports(choices, result);
}

/** The files of a result. Undefined: not chosen. */
type ReportFiles = { readonly junit?: string | undefined; readonly json?: string | undefined };

/** @throws UsageError if a file cannot be written */
export function checkFiles({ junit, json }: ReportFiles): void {
	for (const file of [junit, json]) if (file !== undefined) write(file, '', 'a');
}

/**
 * Writes the files of a result, and what GitHub shows of it.
 * @throws UsageError if a file cannot be written
 */
export function writeReports({ junit, json }: ReportFiles, result: ExamResult): void {
	const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
	if (json !== undefined) write(json, toJson(result));
	if (junit !== undefined) write(junit, toJunit(result));
	if (GITHUB_ACTIONS !== 'true') return;
	process.stdout.write(toGithubErrors(result));
	if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, toMarkdown(result));
}

/** A request in words: `POST /ws/oauth2/token/  200`. */
function wordsOf({ request, response }: TrafficEntry): string {
	const path = request.target.replace(/\?.*/s, '').replace(/^\/~[^/]+/, '');
	return `${request.method} ${path}  ${response?.status ?? 'no response'}`;
}

function exitCodeOf(result: ExamResult, failOn: number, output: string | undefined): number {
	const { counts, ended, problem = '' } = result;
	if (ended === 'time_limit') {
		console.error(timeLimitText(result));
		return exitCodes.timeLimit;
	}
	if (counts.failed + counts.passed + counts.advice === 0 || ended === 'client_failed') {
		console.error(`${problem === '' ? 'The client sent no request that shows a rule.' : problem}${outputOf(output)}`);
		return exitCodes.client;
	}
	const isFailed = withVerdict(result, 'failed').some(({ severity = 3 }) => severity <= failOn);
	if (ended === 'calls_failed') console.error(problem);
	if (isFailed) return exitCodes.failed;
	return ended === 'calls_failed' || ended === 'entry_limit' ? exitCodes.client : exitCodes.passed;
}

/** How far the exam came, and the option that would do. */
function timeLimitText({ probes = [], seconds }: ExamResult): string {
	const all = orderOf(1).length;
	const ran = probes.filter(({ outcome }) => outcome === 'done').length;
	const minutes = Math.ceil((1.3 * seconds * all) / Math.max(1, ran) / 60);
	const enough = Math.min(3600, 60 * minutes);
	return `${ran} of ${all} steps ran in ${Math.round(seconds)} s. Add --time-limit ${enough}, or choose rules with --only.`;
}

function outputOf(output: string | undefined): string {
	return output === undefined || output === '' ? '' : ` Its last lines:\n\n${output}`;
}

async function withSpinner<T>(work: (onStep: (step: string) => void) => Promise<T>): Promise<T> {
	if (!process.stdout.isTTY) return work(() => undefined);
	const spinner = spinnerOf().start();
	return work((step) => (spinner.text = step.replaceAll('_', ' '))).finally(() => spinner.stop());
}

/** @throws UsageError if the file cannot be written */
function write(file: string, text: string, flag = 'w'): void {
	try {
		writeFileSync(file, text, { flag });
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		throw new UsageError(`Cannot write ${file} (${code}).`);
	}
}
