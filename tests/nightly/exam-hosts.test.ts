import { readFileSync } from 'node:fs';
import { setupServer } from 'msw/node';
import { Agent, fetch as fetchWithAgent } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { handlers } from '#hosts/library/msw.ts';
import { createService } from '#hosts/library/tollgate.ts';
import { runExam } from '#exam/run-exam.ts';
import { startExamService } from '#tooling/program/client-exam/exam-service.ts';
import { openReplica } from '../conformance/hosts/replicas.ts';
import { inProcess, prepareClient, type ServiceAccess } from '../exam/client-under-test.ts';
import type { Mistake } from '../exam/mistakes.ts';
import { describeWithRedis, startRedis } from '../hosts/redis/redis-server.ts';

/** Of each area one, such that none hides another, with the rule that names it. */
const named: readonly (readonly [Mistake, rule: string])[] = [
	['list of allowed parameters', 'callback.extra_parameters'],
	['repeats a lost exchange', 'exchange.one_try'],
	['token in the URL', 'call.header'],
	['no cache', 'limit.cache'],
	['repeats without a pause', 'limit.back_off'],
	['does not revoke', 'signout.revoke']
];
const mistakes = named.map(([mistake]) => mistake);
/** Good clients are advised so, too: the token response of the specification names no user. */
const advised = 'token.own_user';

async function node(): Promise<ServiceAccess> {
	const { rootUrl, fetch, trust, close } = await startExamService();
	const agent = new Agent({ connect: { ca: readFileSync(trust.NODE_EXTRA_CA_CERTS ?? '', 'utf8') } });
	onTestFinished(async () => {
		await agent.close();
		await close();
	});
	const clientFetch: typeof globalThis.fetch = async (input, init) => {
		const { url, method, headers, body } = new Request(input, init);
		const sent = { method, headers: [...headers], body: body === null ? null : await new Response(body).text() };
		const response = await fetchWithAgent(url, { ...sent, redirect: 'manual', dispatcher: agent });
		return new Response(await response.text(), { status: response.status, headers: [...response.headers] });
	};
	return { rootUrl, fetch, clientFetch };
}

function msw(): ServiceAccess {
	const service = createService({ origin: 'https://msw.test' });
	const server = setupServer(...handlers(service));
	server.listen({ onUnhandledRequest: 'bypass' });
	onTestFinished(() => server.close());
	return {
		rootUrl: service.origin,
		fetch: (url, init) => fetch(url, init),
		clientFetch: (url, init) => fetch(url, init)
	};
}

/** The verdicts of all rules about two clients, by the hosts of one service each. */
async function verdicts(service: ServiceAccess): Promise<Record<string, string>> {
	const examine = async (...wrong: readonly Mistake[]) => {
		const client = await prepareClient({ mistakes: wrong, service });
		const { findings, ended, seconds } = await runExam({ ...client, seed: 3 });
		console.log(`${service.rootUrl}: ${seconds} s`);
		expect(ended).toBeUndefined();
		return findings.map(({ rule, verdict }) => [`${wrong.length} ${rule}`, verdict]);
	};
	return Object.fromEntries([...(await examine()), ...(await examine(...mistakes))]);
}

it('gives the same verdicts on the node host, in the library and in MSW', { timeout: 600_000 }, async () => {
	const library = inProcess(createService());
	const [first, ...others] = await Promise.all([library, await node(), msw()].map(verdicts));
	const objections = Object.entries(first ?? {}).flatMap(([rule, verdict]) =>
		verdict === 'failed' || verdict === 'advice' ? rule : []
	);
	const expected = [`0 ${advised}`, ...[advised, ...named.map(([, rule]) => rule)].map((rule) => `6 ${rule}`)];
	expect(objections.toSorted()).toEqual(expected.toSorted());
	for (const other of others) expect(other).toEqual(first);
});

describeWithRedis('STORE=redis', () => {
	it('gives the same verdicts over Redis', { timeout: 600_000 }, async () => {
		const redis = await startRedis();
		onTestFinished(() => redis.close());
		const replica = await openReplica(redis.url);
		onTestFinished(() => replica.close());
		const shared = inProcess({ ...replica.service, origin: 'https://tollgate.test' });
		const [library, overRedis] = await Promise.all([inProcess(createService()), shared].map(verdicts));
		expect(overRedis).toEqual(library);
	});
});
