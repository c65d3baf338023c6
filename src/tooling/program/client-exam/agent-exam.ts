import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ControlApi } from '#client/control-api/control-api.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import { agentScenarios, judgeAgent, type AgentFinding } from '#evidence/agents/judge-agent.ts';
import { Browser } from '#exam/browser.ts';
import { createExamSandbox, deleteExamSandbox, userName } from '#exam/sandbox.ts';
import { isPage, UsageError, type Given } from './choices.ts';
import { ClientProcess } from './client-process.ts';
import { createOpener } from './command-client.ts';
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
export async function examAgent({ url, key }: Given, command: readonly string[]): Promise<number> {
	if (command.length === 0)
		throw new UsageError('Write the command of the client behind two dashes: … -- acme-agent --server {server}');
	const named = command.find((word) => isPage(word) && word.endsWith('/mcp'))?.slice(0, -'/mcp'.length);
	const service = await serviceOf(named ?? url);
	try {
		const target = await targetOf(service, named, key).catch((error: unknown) => {
			if (error instanceof ControlError) throw new UsageError(`Cannot use ${service.rootUrl}. ${error.message}`);
			throw error;
		});
		try {
			const findings = await examine(service, target, command);
			for (const { rule, verdict, text } of findings)
				console.log(`  ${verdict.replace('_', ' ').padEnd(9)} ${rule.padEnd(24)} ${text}`);
			if (findings.every(({ verdict }) => verdict === 'not_shown')) {
				console.error('The client sent no request that shows a rule. Does its command use {server}?');
				return 3;
			}
			return findings.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
		} finally {
			await target.close();
		}
	} finally {
		await service.close();
	}
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
	command: readonly string[]
): Promise<AgentFinding[]> {
	const server = `${api.baseUrl}/mcp`;
	const words = command.map((word) => word.replaceAll('{server}', server));
	console.log(`\n  Tollgate exam of an agent · ${server}\n`);
	const findings: AgentFinding[] = [];
	let after = 0;
	for (const agent_fault of agentScenarios) {
		const body = { dialect: 'standard', dynamic_registration: true, agent_fault } as const;
		await api.request('PATCH /control/settings', { ...key, body });
		const browser = new Browser({
			baseUrl: api.baseUrl,
			origins: [],
			opensLocalhost: true,
			fetch: service.fetch,
			now: () => Date.now()
		});
		await runAgent(words, { ...service.trust, TOLLGATE_MCP_URL: server }, async (url) => {
			await browser.open(url, user).catch(() => undefined);
		});
		const query = { after: String(after), limit: '500' };
		const { entries } = await api.request('GET /control/traffic', { ...key, query });
		after = entries.at(-1)?.seq ?? after;
		findings.push(...judgeAgent(agent_fault, entries));
	}
	return findings;
}

/** Runs the command once, in a new home folder, so that it keeps nothing of the scenario before. */
async function runAgent(
	words: readonly string[],
	env: Readonly<Record<string, string>>,
	open: (url: string) => Promise<void>
): Promise<void> {
	const home = mkdtempSync(join(tmpdir(), 'tollgate-agent-'));
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
		for (const folder of [home, opener.folder]) rmSync(folder, { recursive: true, force: true });
	}
}
