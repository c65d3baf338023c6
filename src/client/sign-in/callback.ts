import * as oauth from 'oauth4webapi';
import { authorizationServer, endpointsOf } from '../endpoints.ts';
import type { Journal } from '../events.ts';
import { mask } from '../mask.ts';
import { Problem, plain, problemOf } from '../problems.ts';
import type { TokenAnswer } from '../tokens/token-answer.ts';
import type { TokenEndpoint } from '../tokens/token-endpoint.ts';
import type { Flow, Flows } from './flows.ts';

/** What a callback came to. */
export type Arrival = { readonly flow: Flow; readonly tokens: TokenAnswer };

/** How the answer came: in a query or a page of the service, with its state, or a code alone, typed by a person. */
export type Carrier = 'answer' | 'person';

/** What receiving an answer needs. */
export type CallbackTools = {
	readonly flows: Flows;
	readonly journal: Journal;
	/** The token endpoint for the application and service of the flow. */
	readonly tokenEndpoint: (flow: Flow) => TokenEndpoint;
};

/**
 * Receives the answer of section 2.2. State is checked before anything else; the one exchange goes to the service that
 * was asked, and is never tried twice.
 * @param answer the query of the callback address; with a code that a person brought, the state is the waiting sign-in's
 * @param tab the tab it arrived in
 * @param service base URL of the service whose callback address this is
 * @param carrier with `person` nothing proves where the code is from, so PKCE must: only the service can hold it to the
 * request that was made here
 * @throws {Problem} with a code of `explanations.ts`; nothing was exchanged unless the code is one of the token endpoint's
 */
export async function receiveAnswer(
	answer: URLSearchParams,
	tab: string,
	service: string,
	tools: CallbackTools,
	carrier: Carrier = 'answer'
): Promise<Arrival> {
	const { flows, journal } = tools;
	const [state] = answer.getAll('state');
	if (answer.getAll('state').length > 1) throw refuse(journal, new Problem('answer_ambiguous'));
	if (state === undefined || state === '') throw refuse(journal, new Problem('state_missing'));
	const flow = await flows.take(state, tab, service).catch((thrown: unknown) => {
		throw refuse(journal, problemOf(thrown));
	});
	journal.tell({
		kind: carrier === 'answer' ? 'checked' : 'noticed',
		what: checks[carrier],
		facts: [
			['state', mask(state)],
			['service', flow.service]
		],
		section: '2.2'
	});
	try {
		if (carrier === 'person' && flow.verifier === null) throw new Problem('unbound_code');
		const parameters = readAnswer(answer, flow);
		const endpoint = tools.tokenEndpoint(flow);
		journal.tell({ kind: 'noticed', what: 'Exchanging the code, once', facts: [['at', flow.service]], section: '2.3' });
		return { flow, tokens: await endpoint.exchange(parameters, flow) };
	} catch (thrown) {
		const problem = afterExchange(problemOf(thrown));
		await flows.finish(state, { stage: 'failed', session: flow.session, problem: [problem.code, problem.message] });
		throw refuse(journal, problem);
	}
}

const checks: Readonly<Record<Carrier, string>> = {
	answer: 'State is the one this tab made, and it is used up now',
	person: 'No state comes with a code that a person brings: PKCE alone ties it to this sign-in'
};

/** Holds the answer against its flow. Returns what oauth4webapi has validated, as it wants it for the exchange. */
function readAnswer(answer: URLSearchParams, flow: Flow): URLSearchParams {
	for (const name of ['code', 'error', 'iss', 'error_description']) {
		if (answer.getAll(name).length > 1) throw new Problem('answer_ambiguous', `${name} is there twice.`);
	}
	const code = answer.get('code');
	const error = answer.get('error');
	if (code !== null && error !== null) throw new Problem('answer_ambiguous', 'There is a code and an error.');
	if (error !== null) throw new Problem(plain(error), plain(answer.get('error_description') ?? ''));
	if (code === null || code === '') throw new Problem('answer_empty');
	try {
		const server = authorizationServer(endpointsOf(flow.service));
		return oauth.validateAuthResponse(server, { client_id: flow.client_id }, answer, flow.state);
	} catch (thrown) {
		throw new Problem(answer.has('iss') ? 'service_mixed_up' : 'answer_ambiguous', problemOf(thrown).message);
	}
}

/** Silence after the code was sent is not like silence elsewhere: the code may be used up. */
function afterExchange(problem: Problem): Problem {
	return problem.code === 'silence' ? new Problem('exchange_unknown', '', { cause: problem }) : problem;
}

function refuse(journal: Journal, problem: Problem): Problem {
	journal.tell({
		kind: 'refused',
		what: 'Sign-in not completed',
		facts: [['because', problem.message === '' ? problem.code : `${problem.code}: ${problem.message}`]],
		section: '2.2'
	});
	return problem;
}
