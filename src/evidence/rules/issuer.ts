import type { Mark } from '#api/exam.ts';
import { contains, formOf, issuedCode, queryOf } from '../exchanges.ts';
import type { Facts } from '../facts.ts';
import { advice, failed, judgeProbes, notShown, passed } from '../judge.ts';
import { countOf, type Judgment, type RuleCode } from '../rule.ts';
import { marksOf, within, type ClientRun, type Flow } from '../run.ts';
import { judgeRejection } from './callback.ts';
import { groupBy } from './refreshes.ts';

/** Metadata of a server, and of a resource, that the client got. */
const readServer = ({ entry: { endpoint }, ok }: Facts) =>
	ok && (endpoint === 'oauth-authorization-server' || endpoint === 'openid-configuration');
const readResource = ({ entry: { endpoint }, ok }: Facts) => ok && endpoint === 'oauth-protected-resource';

/** A client that reads the metadata knows that responses have an issuer. One with fixed endpoints may know one server only. */
function judgeIssuer(run: ClientRun, mark: Mark): Judgment {
	const callbacks = within(mark, run.all).filter(({ entry }) => issuedCode(entry));
	if (callbacks.length === 0) return notShown;
	const flows = callbacks.map(({ entry }) => entry.flow);
	const taken = run.exchanges.filter(({ entry }) => entry.flow !== undefined && flows.includes(entry.flow));
	if (taken.length === 0) return judgeRejection(run, mark);
	if (run.all.some(readServer)) return failed(taken);
	return advice(taken, {
		text: 'Your client did not compare iss. It needs to as soon as it knows two servers.'
	});
}

function judgeMetadata(run: ClientRun, mark: Mark): Judgment {
	const read = within(mark, run.all).find(readServer);
	if (read === undefined) return notShown;
	const begun = within(mark, run.authorizations).filter(({ entry }) => entry.seq > read.entry.seq);
	return begun.length > 0 ? failed(begun) : judgeRejection(run, mark);
}

/**
 * A secret or a refresh token belongs to the server that issued it. A client that reads the metadata of the resource, and goes on with
 * the server that it knows, sends it to that one.
 */
function judgeMoved(run: ClientRun, mark: Mark): Judgment {
	const found = within(mark, run.all);
	if (!found.some(readResource)) return notShown;
	const read = found.find((one) => readServer(one) && /\/moved(?:$|\?)/.test(one.entry.request.target));
	if (read === undefined) return judgeRejection(run, mark);
	const before = run.tokenRequests.filter(({ entry, ok }) => ok && entry.seq < mark.from);
	const secrets = before.flatMap(({ entry }) =>
		entry.values.filter(({ label }) => label.startsWith('client secret')).map(({ id }) => id)
	);
	const sent = within(mark, run.tokenRequests).filter(
		({ entry, kind }) => entry.seq > read.entry.seq && (kind === 'refresh' || secrets.some((id) => contains(entry, id)))
	);
	return sent.length > 0 ? failed(sent) : judgeRejection(run, mark);
}

const resourcesOf = (text: URLSearchParams): string[] => text.getAll('resource').filter((one) => one !== '');

/** The exchange of a sign-in, and the resources of both requests. */
function pairsOf(run: ClientRun): { exchange: Facts; asked: string[]; sent: string[] }[] {
	const byFlow = groupBy(run.exchanges, ({ entry }) => entry.flow);
	return run.flows.flatMap(({ request, end }: Flow) => {
		const [exchange] = byFlow.get(end.flow ?? '') ?? [];
		if (exchange === undefined) return [];
		const sent = resourcesOf(formOf(exchange.entry));
		return { exchange, asked: resourcesOf(queryOf(request.entry)), sent };
	});
}

function judgeResource(run: ClientRun): Judgment {
	const isAgent = run.all.some(readResource);
	const pairs = pairsOf(run);
	const other = pairs.filter(({ asked, sent }) => sent.some((one) => !asked.includes(one)));
	if (other.length > 0) return failed(other.map(({ exchange }) => exchange));
	const missing = pairs.filter(({ asked, sent }) => sent.length === 0 && (isAgent || asked.length > 0));
	const facts = missing.map(({ exchange }) => exchange);
	const text = `${countOf(missing.length, 'sign-in')} named no resource in the token request.`;
	if (missing.length > 0) return isAgent ? failed(facts, { text }) : advice(facts, { text });
	return passed(pairs.filter(({ sent }) => sent.length > 0).map(({ exchange }) => exchange));
}

const common = { severity: 1, dialect: 'standard' } as const;

/** Rules about the metadata that a client reads before its request. */
export const metadataRules: readonly RuleCode[] = [
	{
		...common,
		id: 'request.metadata_issuer',
		judge: (run) => judgeProbes(marksOf(run, 'metadata_issuer'), (mark) => judgeMetadata(run, mark))
	}
];

/** Rules about the issuer of authorization responses. */
export const responseIssuerRules: readonly RuleCode[] = [
	{
		...common,
		id: 'callback.issuer',
		judge: (run) => judgeProbes(marksOf(run, 'other_issuer'), (mark) => judgeIssuer(run, mark))
	}
];

/** Rules about the server and the resource that tokens are for. */
export const audienceRules: readonly RuleCode[] = [
	{ ...common, id: 'exchange.resource_same', severity: 2, judge: judgeResource },
	{
		...common,
		id: 'exchange.issuer_credentials',
		judge: (run) => judgeProbes(marksOf(run, 'moved_server'), (mark) => judgeMoved(run, mark))
	}
];
