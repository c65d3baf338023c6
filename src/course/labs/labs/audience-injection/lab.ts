import { defenses } from '../defenses.ts';
import type { Lab, LabAction } from '../../engine/lab.ts';
import type { LabRun, LabWorld } from '../../engine/lab-run.ts';
import { parameterOf, type Message } from '../../engine/message.ts';
import {
	OwnIssuer,
	ownIssuer,
	publicKeys,
	SigningClient,
	syncClient,
	syncOrigin
} from '../../engine/signing-client.ts';
import { ask, rejectedBy, sendForm, tools } from '../actions.ts';

const withAudience = (
	audience: 'token_endpoint' | 'issuer' | 'client',
	lifetime = 60
): Required<Pick<LabWorld, 'sites'>> => ({
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

/** The assertion that arrived at the attacker's issuer last. */
function received({ log }: Pick<LabRun, 'log'>): string | undefined {
	const message = log.findLast(
		(one) => one.to === 'attacker_site' && parameterOf(one, 'client_assertion') !== undefined
	);
	return message && parameterOf(message, 'client_assertion');
}

const isGoal = ({ from, entry, status }: Message) =>
	from === 'attacker' && entry?.endpoint === 'token' && status === 200 && entry.client_id === syncClient;

const connect: LabAction = {
	id: 'connect',
	label: 'Connect my issuer',
	isPossible: () => true,
	act: async ({ browsers }) => void (await browsers.attacker.open(`${syncOrigin}/connect?issuer=own`))
};

export const lab: Lab = {
	briefing:
		'Guild sync has no secret: it signs an assertion for each request. It works with Tollgate, and with **your** issuer. Get a token of Tollgate as Guild sync, without its key.',
	code: {
		file: 'sign.ts of Guild sync',
		line: 9,
		wrong: 'const aud = metadata.token_endpoint;',
		marked: 'metadata.token_endpoint',
		right: 'const aud = session.issuer;'
	},
	tools: [{ kind: 'server', text: 'An issuer that Guild sync works with' }, tools.requests],
	parties: [
		{ party: 'attacker', name: 'Attacker' },
		{ party: 'attacker_site', name: 'Your issuer' },
		{ party: 'client', name: 'Guild sync' },
		{ party: 'service', name: 'Tollgate' }
	],
	subject: {
		name: 'Issuers',
		cards: (run) => {
			const assertion = received(run);
			return [
				{
					title: 'Your issuer',
					note: ownIssuer,
					isOfAttacker: true,
					facts: [
						{
							label: 'token_endpoint of the metadata',
							value: run.copied.get('token_endpoint') ?? `${ownIssuer}/token`
						},
						{
							label: 'Received assertion',
							value: assertion,
							note: assertion === undefined ? 'None yet' : 'Signed by Guild sync'
						}
					]
				},
				{
					title: 'Tollgate',
					note: run.service.baseUrl,
					isOfAttacker: false,
					facts: [
						{ label: 'token_endpoint of the metadata', value: tokenEndpoint(run) },
						{ label: 'aud of the assertion', value: audienceIn(assertion) }
					]
				}
			];
		}
	},
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
	steps: [
		{
			title: 'Write your metadata',
			text: 'Your issuer says in its metadata where its endpoints are. Name the token endpoint of Tollgate in place of your own. All others stay yours.',
			id: 'metadata',
			label: 'Name Tollgate’s endpoint',
			isPossible: () => true,
			act: (run) => run.copy('token_endpoint', tokenEndpoint(run)),
			isDone: (run) => run.copied.get('token_endpoint') === tokenEndpoint(run)
		},
		{
			title: 'Connect your issuer',
			text: 'Start a sign-in of Guild sync with your issuer. It pushes the request to your server, with an assertion.',
			...connect,
			isDone: (run) => audienceIn(received(run)) === tokenEndpoint(run)
		},
		{
			title: 'Copy the assertion',
			text: 'It is signed by Guild sync, and lives for a minute. Your server was the first to see it.',
			id: 'copy',
			label: 'Copy the assertion',
			isPossible: (run) => received(run) !== undefined,
			act: (run) => run.copy('client_assertion', received(run) ?? ''),
			isDone: (run) => run.copied.has('client_assertion') && run.copied.get('client_assertion') === received(run)
		},
		{
			title: 'Use it at Tollgate',
			text: 'Ask Tollgate for a token, with the assertion of Guild sync in place of a secret.',
			id: 'use',
			label: 'Send to Tollgate',
			isPossible: ({ copied }) => copied.has('client_assertion'),
			act: async (run) =>
				void (await run.sendAsAttacker({
					method: 'POST',
					url: tokenEndpoint(run),
					form: {
						grant_type: 'client_credentials',
						client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
						client_assertion: run.copied.get('client_assertion') ?? ''
					}
				})),
			isDone: ({ log }) => log.some((message) => isGoal(message))
		}
	],
	detours: [
		{
			id: 'own_metadata',
			label: 'Name my own endpoint',
			isPossible: () => true,
			act: (run) => run.copy('token_endpoint', `${ownIssuer}/token`)
		},
		{
			id: 'no_assertion',
			label: 'Ask Tollgate without an assertion',
			isPossible: () => true,
			act: (run) => sendForm(run, 'token/', { grant_type: 'client_credentials', client_id: syncClient })
		},
		{
			id: 'read_metadata',
			label: 'Read the metadata of Tollgate',
			isPossible: () => true,
			act: async (run) =>
				void (await run.sendAsAttacker({
					method: 'GET',
					url: `${run.service.baseUrl}/.well-known/oauth-authorization-server`
				}))
		},
		{
			id: 'as_secret',
			label: 'Send it as a secret',
			isPossible: ({ copied }) => copied.has('client_assertion'),
			act: (run) =>
				sendForm(run, 'token/', {
					grant_type: 'client_credentials',
					client_id: syncClient,
					client_secret: run.copied.get('client_assertion') ?? ''
				})
		},
		{
			id: 'as_token',
			label: 'Send it as an access token',
			isPossible: ({ copied }) => copied.has('client_assertion'),
			act: async (run) =>
				void (await run.sendAsAttacker({
					method: 'GET',
					url: `${run.service.baseUrl}/ws/v2.0/character/${encodeURIComponent('Mara Vell')}`,
					authorization: `Bearer ${run.copied.get('client_assertion') ?? ''}`
				}))
		},
		{
			id: 'wait',
			label: 'Wait 2 minutes',
			isPossible: () => true,
			act: ({ clock }) => clock.advance(120_000)
		}
	],
	nearMisses: {
		own_endpoint: {
			happened: rejectedBy('client_assertion.audience_matches'),
			text: ({ rejection }) =>
				`Tollgate found the audience \`${rejection?.found ?? ''}\` in the assertion, and expected an address of Tollgate.`,
			look: 'the place from which Guild sync takes the audience.'
		},
		expired: {
			happened: rejectedBy('client_assertion.time_valid'),
			text: ({ rejection }) => `The assertion was not valid any more: ${rejection?.found ?? 'its lifetime was over'}.`,
			look: 'the row in which it arrived at your issuer.'
		}
	},
	goal: {
		text: 'A token for **Guild sync** is issued to you',
		find: (log) => log.find((message) => isGoal(message))
	},
	happened: {
		title: 'Signed for another reader',
		paragraphs: [
			'Guild sync sent the assertion to **your** server, and wrote the endpoint of Tollgate into it. That value was in your metadata.',
			'Tollgate compared the audience with its own token endpoint. It fitted, and the signature was right.'
		],
		why: [
			{ isRight: false, text: 'The audience was a value that the attacker chose' },
			{ isRight: false, text: 'The reader of the assertion and its audience were two servers' },
			{ isRight: true, text: 'The private key never left Guild sync' }
		]
	},
	defense: {
		title: 'Name the issuer alone',
		text: 'The issuer is what Guild sync chose, and no metadata changes it. An assertion for your issuer works at your issuer only.',
		others: ['Servers that accept only their issuer as audience', 'A key for each issuer'],
		world: withAudience('issuer')
	},
	wrongDefenses: {
		tooStrict: {
			title: 'Name the client as the audience',
			code: 'const aud = ownOrigin;',
			file: 'sign.ts of Guild sync, line 9',
			section: 'RFC 7523 §3',
			text: 'The audience is the server that reads the assertion. Tollgate does not find itself there.',
			world: withAudience('client')
		},
		noEffect: {
			title: 'Let assertions live 10 seconds',
			code: 'const exp = iat + 10;',
			file: 'sign.ts of Guild sync, line 10',
			section: 'RFC 7523 §3',
			text: 'A short life helps against an assertion that is found later. Here your server is the first reader.',
			world: withAudience('token_endpoint', 10)
		},
		otherAttack: {
			...defenses.pushedOnly,
			text: 'Pushed requests cannot be changed in the browser. Here nothing passes through a browser.'
		}
	},
	rejected: {
		id: 'client_assertion.audience_matches',
		title: 'The assertion is for this server',
		text: 'Check of Tollgate. The assertion names your issuer, and Tollgate is another one.',
		place: 'authorization server',
		section: 'RFC 7523 §3'
	},
	defended: {
		title: 'For your issuer only',
		text: 'Your metadata still named the endpoint of Tollgate. Guild sync wrote your issuer into the assertion, and Tollgate did not accept it.'
	},
	goodUser: async ({ browsers }) => void (await browsers.good_user.open(`${syncOrigin}/connect`)),
	findGoodUser: (log) =>
		log.find(({ from, to, outcome }) => from === 'good_user' && to === 'client' && outcome === 'Request pushed'),
	words: {
		userIn: 'player-two can start',
		defended: 'Attack rejected, good user can start'
	},
	remains: [
		{ text: 'A code that is sent to the wrong token endpoint', lab: 'mix-up' },
		{ text: 'A token that works at another server', lab: 'other-resource' },
		{ text: 'Assertions are for this server', rule: 'assertion.audience' }
	],
	ownClient: [
		'Write the issuer into `aud` of each assertion, and nothing else. Take it from your configuration, not from metadata.',
		'Compare `issuer` of the metadata with the issuer that you asked.'
	],
	hints: [
		'Which values of the assertion come from your server?',
		'Look at what Tollgate compares with the audience.',
		'The metadata of your issuer may say anything. The tool that sends requests can use what arrives at your server.'
	],
	questions: [
		ask(
			'Why was a list of several audiences no help?',
			['Each server in it can use the assertion at the others', 'An assertion needs one reader.'],
			['Lists are longer than one value', 'The length changes nothing.'],
			['Tollgate reads the first value only', 'It looks for its own URL in all of them.']
		)
	],
	notes: [
		'Several standards were corrected in 2025 because of this attack: they had allowed the token endpoint as audience. Let groups look up what their library writes.'
	]
};

/** What an assertion says about its reader. */
function audienceIn(assertion: string | undefined): string | undefined {
	const claims = assertion?.split('.')[1];
	if (claims === undefined) return undefined;
	return /"aud":"([^"]*)"/.exec(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))?.[1] ?? '';
}
