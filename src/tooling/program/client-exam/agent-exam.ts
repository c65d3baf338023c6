import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ControlApi, ControlError } from '#client/control-api/control-api.ts';
import type { AgentFault } from '#api/agent-faults.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { ExamResult, Finding, ResultVerdict } from '#api/exam.ts';
import { agentRuleIds, agentRules, agentScenarios } from '#evidence/agents/agent-rules.ts';
import { agentRuns } from '#evidence/agents/agent-runs.ts';
import { judgeAgent } from '#evidence/agents/judge-agent.ts';
import { Browser } from '#exam/browser.ts';
import { createExamSandbox, deleteExamSandbox, userName } from '#exam/sandbox.ts';
import { matchesRule } from '#exam/order.ts';
import { isPage, readSeverity, rulesOf, UsageError, type Given } from './choices.ts';
import { ClientProcess } from './client-process.ts';
import { createOpener } from './command-client.ts';
import { checkFiles, exitCodes, writeReports } from './exam.ts';
import { remoteExamService, startExamService, type ExamService } from './exam-service.ts';

/** How long a client may run in one scenario, in milliseconds. */
const runTime = 20_000;
const pollInterval = 50;
/** How many sign-ins one scenario has at most. */
const maxSignIns = 6;

/** Where the client connects to. */
type Target = {
	readonly api: ControlApi;
	readonly key: { readonly key?: string };
	readonly user: { readonly username: string; readonly password: string };
	readonly close: () => Promise<void>;
};

/**
 * Examines an agent: runs its command once for each fault of the server, signs its user in, and judges what it did.
 * @param command `{server}` in it is the URL of the server. A URL that ends with `/mcp` names a sandbox that exists
 * @returns the exit code
 * @throws UsageError for a command that cannot be used
 */
export async function examAgent(given: Given, command: readonly string[]): Promise<number> {
	const { url, key } = given;
	if (command.length === 0)
		throw new UsageError('Write the command of the client behind two dashes: … -- acme-agent --server {server}');
	const rules = chosenRules(given);
	checkFiles(given);
	const named = command.find((word) => isPage(word) && word.endsWith('/mcp'))?.slice(0, -'/mcp'.length);
	const service = await serviceOf(named ?? url);
	try {
		const target = await targetOf(service, named, key).catch((error: unknown) => {
			if (error instanceof ControlError) throw new UsageError(`Cannot use ${service.rootUrl}. ${error.message}`);
			throw error;
		});
		try {
			const result = await examine(service, target, command, rules);
			for (const { rule, verdict, text } of result.findings)
				console.log(`  ${verdict.replace('_', ' ').padEnd(9)} ${rule.padEnd(24)} ${text}`);
			writeReports(given, result);
			return exitCodeOf(result, readSeverity(given));
		} finally {
			await target.close();
		}
	} finally {
		await service.close();
	}
}

/** The ids of the rules to judge. */
function chosenRules({ only, skip }: Given): ReadonlySet<string> {
	const chosen = rulesOf('--only', only, agentRuleIds);
	const left = rulesOf('--skip', skip, agentRuleIds) ?? [];
	const rules = agentRuleIds.filter(
		(id) => (chosen === undefined || matchesRule(chosen, id)) && !matchesRule(left, id)
	);
	if (rules.length === 0) throw new UsageError('--only and --skip leave no rule to judge. Choose other rules.');
	return new Set(rules);
}

function exitCodeOf({ findings }: ExamResult, failOn: number): number {
	if (findings.every(({ verdict }) => verdict === 'not_shown')) {
		console.error('The client sent no request that shows a rule. Does its command use {server}?');
		return exitCodes.client;
	}
	const isFailed = findings.some(({ verdict, severity = 3 }) => verdict === 'failed' && severity <= failOn);
	return isFailed ? exitCodes.failed : exitCodes.passed;
}

function serviceOf(url: string | undefined): ExamService | Promise<ExamService> {
	return url === undefined ? startExamService() : remoteExamService(url);
}

/** The sandbox of the exam: a new one, or the one that the command names. */
async function targetOf(service: ExamService, named: string | undefined, key: string | undefined): Promise<Target> {
	const keyPart = key === undefined ? {} : { key };
	if (named === undefined) {
		const { rootUrl, fetch } = service;
		const redirectUris = ['http://127.0.0.1/callback'];
		const sandbox = await createExamSandbox({
			rootUrl,
			fetch,
			kind: 'installed',
			dialect: 'standard',
			redirectUris,
			...keyPart
		});
		const user = { username: userName(0), password: 'demo' };
		return {
			api: sandbox.api,
			key: sandbox.key === undefined ? {} : { key: sandbox.key },
			user,
			close: () => deleteExamSandbox(sandbox).catch(() => undefined)
		};
	}
	const api = new ControlApi(named, service.fetch);
	const before = await api.request('GET /control/settings', keyPart);
	const { dialect, dynamic_registration, agent_fault } = before;
	const close = async () => {
		const body = { dialect, dynamic_registration, agent_fault };
		await api.request('PATCH /control/settings', { ...keyPart, body }).catch(() => undefined);
	};
	return { api, key: keyPart, user: { username: 'player-one', password: 'demo' }, close };
}

async function examine(
	service: ExamService,
	{ api, key, user }: Target,
	command: readonly string[],
	rules: ReadonlySet<string>
): Promise<ExamResult> {
	const started = Date.now();
	const server = `${api.baseUrl}/mcp`;
	const words = command.map((word) => word.replaceAll('{server}', server));
	console.log(`\n  Tollgate exam of an agent · ${server}\n`);
	const findings: Finding[] = [];
	const log: TrafficEntry[] = [];
	const first = (await entriesAfter({ api, key }, 0)).at(-1)?.seq ?? 0;
	const run = async (agent_fault: AgentFault, home: string) => {
		const body = { dialect: 'standard', dynamic_registration: true, agent_fault } as const;
		await api.request('PATCH /control/settings', { ...key, body });
		const browser = new Browser({
			baseUrl: api.baseUrl,
			origins: [],
			opensLocalhost: true,
			fetch: service.fetch,
			now: () => Date.now()
		});
		await runAgent(words, { ...service.trust, TOLLGATE_MCP_URL: server }, home, async (url) => {
			await browser.open(url, user).catch(() => undefined);
		});
		const entries = await entriesAfter({ api, key }, log.at(-1)?.seq ?? first);
		log.push(...entries);
		return entries;
	};
	for (const fault of agentScenarios) {
		const judged = agentRuleIds.filter((id) => agentRules[id].fault === fault && rules.has(id));
		if (judged.length === 0) continue;
		const home = mkdtempSync(join(tmpdir(), 'tollgate-agent-'));
		try {
			// A client that stores nothing registers in each run, so only one that keeps its home folder can send what is old.
			const before = fault === 'moved_server' ? await run('none', home) : [];
			if (fault === 'moved_server') await endAccess({ api, key }, before);
			const entries = [...before, ...(await run(fault, home))];
			findings.push(...judgeAgent(fault, entries).filter(({ rule }) => rules.has(rule)));
			await deleteClients({ api, key }, entries);
		} finally {
			rmSync(home, { recursive: true, force: true });
		}
	}
	return resultOf(findings, log, started);
}

/** The log after an entry, oldest first. */
async function entriesAfter({ api, key }: Pick<Target, 'api' | 'key'>, seq: number): Promise<TrafficEntry[]> {
	const all: TrafficEntry[] = [];
	for (;;) {
		const query = { after: String(all.at(-1)?.seq ?? seq), limit: '500' };
		const { entries } = await api.request('GET /control/traffic', { ...key, query });
		if (entries.length === 0) return all;
		all.push(...entries);
	}
}

/** Deletes the clients that registered in a scenario. A sandbox that is examined again and again has room for few. */
async function deleteClients(
	{ api, key }: Pick<Target, 'api' | 'key'>,
	entries: readonly TrafficEntry[]
): Promise<void> {
	for (const { endpoint, client_id } of entries)
		if (endpoint === 'register' && client_id !== undefined)
			await api
				.request('DELETE /control/applications/{client_id}', { ...key, path: { client_id } })
				.catch(() => undefined);
}

/** Ends the access tokens of the clients of a log, so that they look for the server again. */
async function endAccess({ api, key }: Pick<Target, 'api' | 'key'>, entries: readonly TrafficEntry[]): Promise<void> {
	const clients = new Set(entries.map(({ client_id }) => client_id));
	const { grants } = await api.request('GET /control/credentials', key);
	for (const { client_id, access_tokens } of grants)
		for (const { id } of clients.has(client_id) ? access_tokens : [])
			await api.request('DELETE /control/credentials/{kind}/{id}', { ...key, path: { kind: 'access_tokens', id } });
}

function resultOf(findings: Finding[], log: readonly TrafficEntry[], started: number): ExamResult {
	const count = (verdict: ResultVerdict) => findings.filter((finding) => finding.verdict === verdict).length;
	const agent = agentRuns(log).at(-1);
	return {
		format: 'tollgate-exam',
		version: 1,
		dialect: 'standard',
		started: new Date(started).toISOString(),
		seconds: (Date.now() - started) / 1000,
		client: {
			client_id: agent?.client_id ?? '',
			kind: 'installed',
			...(agent !== undefined && { user_agent: agent.name })
		},
		counts: {
			failed: count('failed'),
			passed: count('passed'),
			not_shown: count('not_shown'),
			advice: count('advice'),
			disputed: count('disputed')
		},
		findings
	};
}

/** Runs the command once. A new home folder has nothing of the scenario before. */
async function runAgent(
	words: readonly string[],
	env: Readonly<Record<string, string>>,
	home: string,
	open: (url: string) => Promise<void>
): Promise<void> {
	const opener = createOpener({
		...process.env,
		...env,
		HOME: home,
		XDG_CONFIG_HOME: join(home, '.config'),
		XDG_DATA_HOME: join(home, '.local/share'),
		XDG_STATE_HOME: join(home, '.local/state'),
		npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm')
	});
	const client = new ClientProcess(words, opener.variables, randomUUID());
	try {
		const ended = client.closed.then(() => true);
		const end = Date.now() + runTime;
		let opened = 0;
		while (Date.now() < end && !(await Promise.race([ended, sleep(pollInterval, false)]))) {
			const url = readFileSync(opener.urls, 'utf8').trim().split('\n')[opened];
			if (url === undefined || !URL.canParse(url) || opened === maxSignIns) continue;
			opened++;
			await open(url);
		}
	} finally {
		client.kill();
		rmSync(opener.folder, { recursive: true, force: true });
	}
}
