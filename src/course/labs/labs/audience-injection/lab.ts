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
import { ask, rejectedBy, tools } from '../actions.ts';

const withAudience = (audience: 'token_endpoint' | 'issuer'): Required<Pick<LabWorld, 'sites'>> => ({
	sites: (run) => ({
		[syncOrigin]: {
			party: 'client',
			site: new SigningClient({ baseUrl: run.service.baseUrl, now: run.clock.now, audience })
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
			const claims = assertion?.split('.')[1];
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
						{ label: 'aud of the assertion', value: claims === undefined ? undefined : audienceOf(claims) }
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
			isPossible: ({ copied }) => !copied.has('token_endpoint'),
			act: (run) => run.copy('token_endpoint', tokenEndpoint(run)),
			isDone: ({ copied }) => copied.has('token_endpoint')
		},
		{
			title: 'Connect your issuer',
			text: 'Start a sign-in of Guild sync with your issuer. It pushes the request to your server, with an assertion.',
			...connect,
			isDone: (run) => received(run) !== undefined
		},
		{
			title: 'Copy the assertion',
			text: 'It is signed by Guild sync, and lives for a minute. Your server was the first to see it.',
			id: 'copy',
			label: 'Copy the assertion',
			isPossible: (run) => received(run) !== undefined,
			act: (run) => run.copy('client_assertion', received(run) ?? ''),
			isDone: ({ copied }) => copied.has('client_assertion')
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
			id: 'wait',
			label: 'Wait 2 minutes',
			isPossible: (run) => received(run) !== undefined,
			act: ({ clock }) => clock.advance(120_000)
		}
	],
	nearMisses: {
		own_endpoint: {
			happened: rejectedBy('client_assertion.audience_matches'),
			text: 'The assertion names your own token endpoint. Write your metadata first, and connect your issuer again.'
		},
		expired: {
			happened: rejectedBy('client_assertion.time_valid'),
			text: 'The assertion had expired: it lives for a minute. Connect your issuer again, and use the new one sooner.'
		}
	},
	goal: {
		text: 'The log shows a token for **Guild sync** that you asked for',
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
		description: 'The audience of each assertion is the issuer of the sign-in',
		text: 'The issuer is what Guild sync chose, and no metadata changes it. An assertion for your issuer works at your issuer only.',
		others: ['Servers that accept only their issuer as audience', 'A key for each issuer'],
		world: withAudience('issuer')
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
		'What does Tollgate compare with the audience?',
		'Name the token endpoint of Tollgate in your metadata, connect your issuer, copy the assertion, and send it to Tollgate.'
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
function audienceOf(claims: string): string {
	return /"aud":"([^"]*)"/.exec(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))?.[1] ?? '';
}
