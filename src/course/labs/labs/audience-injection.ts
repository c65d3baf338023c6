import { subjectOf, type LabCode } from '../engine/lab.ts';
import type { LabRun, LabWorld } from '../engine/lab-run.ts';
import { parameterOf, type Message } from '../engine/message.ts';
import { OwnIssuer, ownIssuer, publicKeys, SigningClient, syncClient, syncOrigin } from '../engine/signing-client.ts';
import { rejectedBy } from '../shared/misses.ts';
import { hasCopied, readCharacter, send, sendForm, visit } from '../shared/moves.ts';

const withAudience = (audience: 'token_endpoint' | 'issuer' | 'client', lifetime = 60): Pick<LabWorld, 'sites'> => ({
	sites: (run) => ({
		[syncOrigin]: {
			party: 'client',
			site: new SigningClient({
				baseUrl: run.service.baseUrl,
				now: run.clock.now,
				audience,
				lifetime,
				random: run.random('sync')
			})
		},
		[ownIssuer]: { party: 'attacker_site', site: new OwnIssuer(() => run.copied.get('token_endpoint')) }
	})
});

const tokenEndpoint = ({ service }: LabRun) => `${service.baseUrl}/ws/oauth2/token/`;
const copiedAssertion = ({ copied }: LabRun) => copied.get('client_assertion') ?? '';
const hasAssertion = hasCopied('client_assertion');

/** The assertion that arrived at the attacker's issuer last. */
function received({ log }: Pick<LabRun, 'log'>): string | undefined {
	const assertionOf = (message: Message) => parameterOf(message, 'client_assertion');
	const message = log.findLast((one) => one.to === 'attacker_site' && assertionOf(one) !== undefined);
	return message && assertionOf(message);
}

/** What an assertion says about its reader. */
function audienceIn(assertion: string | undefined): string | undefined {
	const claims = assertion?.split('.')[1];
	if (claims === undefined) return undefined;
	return /"aud":"([^"]*)"/.exec(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))?.[1] ?? '';
}

const isGoal = ({ from, entry, status }: Message) =>
	from === 'attacker' && entry?.endpoint === 'token' && status === 200 && entry.client_id === syncClient;

export const code: LabCode = {
	world: {
		settings: { dialect: 'standard' },
		applications: [{ client_id: syncClient, name: 'Guild sync', redirect_uri: `${syncOrigin}/callback` }],
		async before({ service }) {
			await service.api.request('PATCH /control/applications/{client_id}', {
				path: { client_id: syncClient },
				body: { jwks: await publicKeys() }
			});
		},
		...withAudience('token_endpoint')
	},
	subject: subjectOf(['own', 'endpoint', 'received', 'none', 'signed', 'tollgate', 'audience'], (run, word) => {
		const assertion = received(run);
		const endpoint = run.copied.get('token_endpoint') ?? `${ownIssuer}/token`;
		return [
			{
				title: word('own'),
				note: ownIssuer,
				isOfAttacker: true,
				facts: [
					{ label: word('endpoint'), value: endpoint },
					{ label: word('received'), value: assertion, note: word(assertion === undefined ? 'none' : 'signed') }
				]
			},
			{
				title: word('tollgate'),
				note: run.service.baseUrl,
				isOfAttacker: false,
				facts: [
					{ label: word('endpoint'), value: tokenEndpoint(run) },
					{ label: word('audience'), value: audienceIn(assertion) }
				]
			}
		];
	}),
	moves: {
		metadata: {
			act: (run) => run.copy('token_endpoint', tokenEndpoint(run)),
			isDone: (run) => run.copied.get('token_endpoint') === tokenEndpoint(run)
		},
		connect: {
			act: visit('attacker', `${syncOrigin}/connect?issuer=own`),
			isDone: (run) => audienceIn(received(run)) === tokenEndpoint(run)
		},
		copy: {
			isPossible: (run) => received(run) !== undefined,
			act: (run) => run.copy('client_assertion', received(run) ?? ''),
			isDone: (run) => hasAssertion(run) && run.copied.get('client_assertion') === received(run)
		},
		use: {
			isPossible: hasAssertion,
			act: sendForm('token/', (run) => ({
				grant_type: 'client_credentials',
				client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
				client_assertion: copiedAssertion(run)
			})),
			isDone: ({ log }) => log.some((message) => isGoal(message))
		},
		own_metadata: { act: (run) => run.copy('token_endpoint', `${ownIssuer}/token`) },
		no_assertion: {
			act: sendForm('token/', () => ({ grant_type: 'client_credentials', client_id: syncClient }))
		},
		read_metadata: {
			act: send(({ service }) => ({
				method: 'GET',
				url: `${service.baseUrl}/.well-known/oauth-authorization-server`
			}))
		},
		as_secret: {
			isPossible: hasAssertion,
			act: sendForm('token/', (run) => ({
				grant_type: 'client_credentials',
				client_id: syncClient,
				client_secret: copiedAssertion(run)
			}))
		},
		as_token: { isPossible: hasAssertion, act: readCharacter(copiedAssertion) },
		wait: { act: ({ clock }) => clock.advance(120_000) }
	},
	misses: {
		own_endpoint: { happened: rejectedBy('client_assertion.audience_matches') },
		expired: { happened: rejectedBy('client_assertion.time_valid') }
	},
	goal: (log) => log.find((message) => isGoal(message)),
	defenses: {
		right: withAudience('issuer'),
		tooStrict: withAudience('client'),
		noEffect: withAudience('token_endpoint', 10)
	},
	goodUser: visit('good_user', `${syncOrigin}/connect`),
	findGoodUser: (log) =>
		log.find(({ from, to, outcome }) => from === 'good_user' && to === 'client' && outcome === 'Request pushed')
};
