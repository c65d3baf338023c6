import type { DialectName } from '#api/dialect.ts';
import { agentScenarios } from '#evidence/agents/agent-rules.ts';
import { judgeAgent } from '#evidence/agents/judge-agent.ts';
import { clientVersion2 } from '../conformance/agent-clients.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from '../service/test-service.ts';
import { examineBound, exchanged, type BoundMistake } from './bound-client.ts';
import { examineDevice, type DeviceMistake, type User } from './device-client.ts';
import { habits } from './habits.ts';
import { judgeGoodClient, judgeHabits, judgeLibrary } from './judge-mutant.ts';
import { languages, type Language } from './languages.ts';
import { libraries } from './libraries.ts';
import { furtherMutants, mutants, standardMutants, type Mutant } from './mutants.ts';
import { examinePushing, pushingMistakes } from './pushing-client.ts';
import { standardLibraries } from './standard-libraries.ts';

// The clients that the exam and the report card judge in the tests: one table of good ones, one of wrong ones. The nightly tests run them.

/** What examines a client. `exam`: in this process, by a virtual clock. `log`: the rules of the report card. `program`: the built command. */
type Way = 'exam' | 'log' | 'program';

type Client = {
	readonly name: string;
	readonly language: string;
	readonly dialect: DialectName;
	readonly way: Way;
	/** How many orders of the steps the nightly tests try. */
	readonly seeds: number;
};

/** A client that no rule may accuse. */
export type GoodClient = Client & {
	/** Rejects if a rule accuses it. Absent: `program` is examined. */
	readonly judge?: (seed: number) => Promise<void>;
	readonly program?: Language;
};

/** A client with a mistake, and the rule that names it. */
export type WrongClient = Client & {
	readonly rule: string;
	/** `failed` makes the exit code 1. */
	readonly verdict: 'failed' | 'advice' | 'not_shown';
	readonly mutant?: Mutant;
	/** The rules that fail. */
	readonly failing?: (seed: number) => Promise<readonly string[]>;
	readonly program?: Language;
	readonly mistake?: string;
};

const inTypeScript = { language: 'TypeScript' } as const;
const specification = { ...inTypeScript, dialect: 'specification', way: 'exam', seeds: 5 } as const;
const standard = { ...specification, dialect: 'standard' } as const;
const ofLog = { ...inTypeScript, dialect: 'standard', way: 'log', seeds: 5 } as const;

/** Rejects if rules failed. */
async function expectNone(failing: Promise<readonly string[]>): Promise<void> {
	const rules = await failing;
	if (rules.length > 0) throw new Error(`These rules failed: ${rules.join(', ')}.`);
}

const failedIn = (verdicts: Readonly<Record<string, string>>): string[] =>
	Object.keys(verdicts).filter((rule) => verdicts[rule] === 'failed' || verdicts[rule] === 'advice');

const users: readonly User[] = [{ decision: 'approve', after: 31 }, { decision: 'deny', after: 17 }, 'never'];

const device = async (seed: number, ...mistakes: readonly DeviceMistake[]) =>
	failedIn(await examineDevice(mistakes, users[seed % users.length] ?? 'never'));

const bound = async (seed: number, dpop_nonce: boolean, mistake?: BoundMistake) =>
	(await examineBound(mistake, { calls: 2 + (seed % 4), dpop_nonce })).failed ?? [];

const pushing = (seed: number, mistake?: (typeof pushingMistakes)[number][0]) => examinePushing(mistake, 1 + 7 * seed);

/** An agent in a scenario of the exam of agents. */
async function agent(seed: number): Promise<string[]> {
	const agent_fault = agentScenarios[seed % agentScenarios.length] ?? 'none';
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', dynamic_registration: true });
	const client = clientVersion2({ at });
	if (agent_fault === 'moved_server') {
		await client.call('list_names');
		client.forgetTokens();
	}
	await at.changeSettings({ agent_fault });
	for (const tool of ['list_names', 'read_private_fields'])
		await client.call(tool, { name: 'Mara Vell' }).catch(() => undefined);
	const findings = judgeAgent(agent_fault, await readEntries(at));
	return findings.flatMap(({ rule, verdict }) => (verdict === 'failed' ? rule : []));
}

/** Clients that do nothing wrong. */
export const goodClients: readonly GoodClient[] = [
	{ ...specification, name: 'BFF: the reference client', seeds: 20, judge: (seed) => judgeGoodClient(seed) },
	{ ...standard, name: 'BFF of today’s standards', seeds: 20, judge: (seed) => judgeGoodClient(seed, 'standard') },
	...habits.map((habit) => {
		// The specification has no pushed requests and no ID tokens, and issues refresh tokens for offline access only.
		const row = /^(?:pushes|signs in again in place|one store)/.test(habit) ? standard : specification;
		return { ...row, name: habit, judge: (seed: number) => judgeHabits([habit], seed, row.dialect) };
	}),
	...libraries.map((library) => ({
		...specification,
		name: library.name,
		seeds: 20,
		judge: (seed: number) => judgeLibrary(library, seed)
	})),
	...standardLibraries.map((library) => ({
		...standard,
		name: `${library.name}, today’s standards`,
		seeds: 20,
		judge: (seed: number) => judgeLibrary(library, seed, 'standard')
	})),
	{ ...ofLog, name: 'DPoP without a nonce', judge: (seed) => expectNone(bound(seed, false)) },
	{ ...ofLog, name: 'DPoP with a nonce', judge: (seed) => expectNone(bound(seed, true)) },
	{ ...ofLog, name: 'private_key_jwt and pushed requests', judge: (seed) => expectNone(pushing(seed)) },
	{ ...ofLog, name: 'a device', judge: (seed) => expectNone(device(seed)) },
	{
		...ofLog,
		name: 'token exchange',
		judge: async () => expectNone(exchanged({ scope: 'character_read' }).then(failedIn))
	},
	{ ...ofLog, name: 'MCP: version 2 of the SDK', judge: (seed) => expectNone(agent(seed)) },
	...languages.map((program) => ({
		name: program.name,
		language: program.language,
		dialect: 'specification' as const,
		way: 'program' as const,
		seeds: 5,
		program
	}))
];

const mutantRow = (mutant: Mutant, dialect: DialectName, seeds: number): WrongClient => ({
	...specification,
	dialect,
	seeds,
	name: `${mutant.mistakes.join(', ')}${mutant.kind === 'installed' ? ' (installed)' : ''}`,
	rule: mutant.rule,
	verdict: mutant.verdict ?? 'failed',
	mutant
});

const boundMistakes: readonly (readonly [BoundMistake, string, boolean])[] = [
	['reuses a proof', 'dpop.new_proof', false],
	['proof for the token endpoint', 'dpop.this_request', false],
	['no ath', 'dpop.this_token', false],
	['bearer', 'dpop.scheme', false],
	['new key', 'dpop.one_key', false],
	['milliseconds', 'dpop.clock', false],
	['ignores the nonce', 'dpop.nonce', true],
	['gives up at the nonce', 'dpop.nonce', true]
];

const deviceMistakes: readonly (readonly [DeviceMistake, string])[] = [
	['fixed interval', 'device.slow_down'],
	['adds 5 seconds after polling too fast', 'device.interval'],
	['polls after the end', 'device.end']
];

/** Clients that each make a mistake. */
export const wrongClients: readonly WrongClient[] = [
	...mutants.map((mutant) => mutantRow(mutant, 'specification', 5)),
	...furtherMutants.map((mutant) => mutantRow(mutant, 'specification', 2)),
	...standardMutants.map((mutant) => mutantRow(mutant, 'standard', 3)),
	...boundMistakes.map(([mistake, rule, nonce]) => ({
		...ofLog,
		name: `DPoP: ${mistake}`,
		rule,
		verdict: 'failed' as const,
		failing: (seed: number) => bound(seed, nonce, mistake)
	})),
	...pushingMistakes.map(([mistake, rule]) => ({
		...ofLog,
		name: `pushed requests and assertions: ${mistake}`,
		rule,
		verdict: 'failed' as const,
		failing: (seed: number) => pushing(seed, mistake)
	})),
	...deviceMistakes.map(([mistake, rule]) => ({
		...ofLog,
		name: `device: ${mistake}`,
		rule,
		verdict: 'failed' as const,
		failing: (seed: number) => device(seed, mistake)
	})),
	{
		...ofLog,
		name: 'token exchange for all',
		rule: 'delegation.narrow',
		verdict: 'failed',
		failing: () => exchanged({}).then(failedIn)
	},
	{
		...ofLog,
		name: 'token exchange for more',
		rule: 'delegation.not_widened',
		verdict: 'failed',
		failing: () => exchanged({ scope: 'inventory_read' }).then(failedIn)
	},
	...languages.flatMap((program) =>
		program.mistakes.map(([mistake, rule]) => ({
			name: `${program.name}: ${mistake}`,
			language: program.language,
			dialect: 'specification' as const,
			way: 'program' as const,
			seeds: 1,
			rule,
			verdict: 'failed' as const,
			program,
			mistake
		}))
	)
];

/** The clients of a table that are examined in a way, each with its seeds. */
export function rowsOf<Row extends Client>(
	table: readonly Row[],
	wanted: (row: Row) => boolean
): (Row & { readonly seed: number })[] {
	return table
		.filter(wanted)
		.flatMap((row) => Array.from({ length: row.seeds }, (_, at) => ({ ...row, seed: at + 1 })));
}
