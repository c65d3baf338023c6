import { defenses } from '../defenses.ts';
import type { Lab } from '../../engine/lab.ts';
import type { LabRun } from '../../engine/lab-run.ts';
import { parameterOf, type Message } from '../../engine/message.ts';
import { viewerOrigin } from '../../engine/viewer-pages.ts';
import { ask, rejectedBy, sendForm, signInParties, valueIn } from '../actions.ts';
import { storedTokens } from '../stored-tokens.ts';

const isRefresh = (message: Message) => parameterOf(message, 'grant_type') === 'refresh_token';
const refreshedBy = (log: readonly Message[], from: string) =>
	log.find((message) => isRefresh(message) && message.from === from && message.status === 200);

/** Reads a character of the victim with a token of the backup. */
async function readWith(run: LabRun, token = ''): Promise<void> {
	const url = `${run.service.baseUrl}/ws/v2.0/character/${encodeURIComponent('Mara Vell')}`;
	await run.sendAsAttacker({ method: 'GET', url, authorization: `Bearer ${token}` });
}

export const lab: Lab = {
	briefing:
		'Character Viewer is an app without a secret. You have a backup of the victim’s device with its tokens. Use the access for longer than the victim knows, **beside** the victim.',
	code: {
		file: 'refresh.ts of Tollgate',
		line: 14,
		wrong: 'const token = find(refresh_token);\nreturn accessTokenFor(token);\n// the same refresh token stays',
		marked: '// the same refresh token stays',
		right: 'const token = find(refresh_token);\nif (token.isUsed) revokeFamily(token);\nreturn newTokensFor(token);'
	},
	tools: [
		{ kind: 'store', text: 'A backup of the victim’s device' },
		{ kind: 'request', text: 'A tool that sends requests to Tollgate' }
	],
	parties: signInParties,
	subject: storedTokens('Backup of the device'),
	world: {
		settings: { dialect: 'standard' },
		weaknesses: ['refresh_token_kept'],
		isPublic: true,
		before: async ({ browsers }) => void (await browsers.victim.open(`${viewerOrigin}/start`))
	},
	steps: [
		{
			title: 'Copy the refresh token',
			text: 'The backup has an access token, which lives for an hour, and a refresh token. Copy the one that lives longer.',
			id: 'copy_refresh_token',
			label: 'Copy the refresh token',
			isPossible: () => true,
			act: (run) => run.copy('refresh_token', run.backup[0]?.refresh ?? ''),
			isDone: ({ copied }) => copied.has('refresh_token')
		},
		{
			title: 'Let the victim come back',
			text: 'Two hours pass. The victim opens Character Viewer, which refreshes its access token as always.',
			id: 'victim_returns',
			label: 'Come back in 2 hours',
			place: 'victim',
			isPossible: () => true,
			async act(run) {
				run.clock.advance(2 * 60 * 60_000);
				await run.browsers.victim.open(`${viewerOrigin}/`);
			},
			isDone: ({ log }) => log.some((message) => isRefresh(message) && message.from === 'client')
		},
		{
			title: 'Refresh with the copy',
			text: 'Send the copied token to the token endpoint. A client without a secret needs only its `client_id`, which is public.',
			id: 'refresh',
			label: 'Send a refresh',
			isPossible: ({ copied }) => copied.has('refresh_token'),
			act: (run) =>
				sendForm(
					run,
					'token/',
					{
						grant_type: 'refresh_token',
						refresh_token: run.copied.get('refresh_token') ?? '',
						client_id: 'viewer'
					},
					['access_token']
				),
			isDone: ({ log }) => log.some((message) => isRefresh(message) && message.from === 'attacker')
		}
	],
	detours: [
		{
			id: 'use_access_token',
			label: 'Use the access token in 2 hours',
			isPossible: () => true,
			async act(run) {
				run.clock.advance(2 * 60 * 60_000);
				await readWith(run, run.backup[0]?.access);
			}
		},
		{
			id: 'read_at_once',
			label: 'Use the access token at once',
			isPossible: () => true,
			act: (run) => readWith(run, run.backup[0]?.access)
		},
		{
			id: 'read_with_refresh_token',
			label: 'Read with the refresh token',
			isPossible: () => true,
			act: (run) => readWith(run, run.backup[0]?.refresh)
		},
		{
			id: 'refresh_as_other',
			label: 'Refresh as another client',
			isPossible: () => true,
			act: (run) =>
				sendForm(run, 'token/', {
					grant_type: 'refresh_token',
					refresh_token: run.backup[0]?.refresh ?? '',
					client_id: 'guild-board'
				})
		},
		{
			id: 'introspect',
			label: 'Ask about the refresh token',
			isPossible: () => true,
			act: (run) => sendForm(run, 'introspect', { token: run.backup[0]?.refresh ?? '', client_id: 'viewer' })
		}
	],
	nearMisses: {
		expired_access: {
			happened: (sent) => rejectedBy('access_token.known')(sent.filter(({ from }) => from === 'attacker')),
			text: () =>
				'Tollgate does not know the access token of the backup any more. Access tokens live for about an hour.',
			look: 'the other token of the backup.'
		},
		only_holder: {
			happened: (sent, { log }) =>
				refreshedBy(log, 'client') === undefined ? refreshedBy(sent, 'attacker') : undefined,
			text: (message) =>
				`You refreshed with ${valueIn(message, 'refresh_token')}. In the log you are the only holder so far.`,
			look: 'the senders of the rows with a refresh.'
		},
		only_victim: {
			happened: (sent, { log }) =>
				refreshedBy(log, 'attacker') === undefined ? refreshedBy(sent, 'client') : undefined,
			text: (message) =>
				`Character Viewer refreshed with ${valueIn(message, 'refresh_token')}. In the log the victim is the only holder so far.`,
			look: 'the senders of the rows with a refresh.'
		}
	},
	goal: {
		text: '**Two holders** refresh with one token',
		find(log) {
			const [own, foreign] = [refreshedBy(log, 'client'), refreshedBy(log, 'attacker')];
			if (own === undefined || foreign === undefined) return undefined;
			const isSame = parameterOf(own, 'refresh_token') === parameterOf(foreign, 'refresh_token');
			return isSame ? (own.id > foreign.id ? own : foreign) : undefined;
		}
	},
	happened: {
		title: 'Two holders, and no alarm',
		paragraphs: [
			'The refresh token works as often as it is sent. Tollgate cannot tell **who** holds it, so both of you get new access tokens.',
			'The victim sees nothing. The access ends only when the victim revokes it.'
		],
		why: [
			{ isRight: false, text: 'A refresh token that stays the same hides a copy' },
			{ isRight: false, text: 'A client without a secret proves nothing' },
			{ isRight: true, text: 'Access tokens expire after an hour' }
		]
	},
	defense: {
		title: 'Rotate refresh tokens',
		text: 'Now the second holder sends a used token. Tollgate does not know which one is the thief, so it ends both.',
		others: ['Bind the token to a key of the client (DPoP, mutual TLS)', 'A client secret, where there is a server'],
		world: { weaknesses: [] }
	},
	wrongDefenses: {
		tooStrict: defenses.secretRequired,
		noEffect: {
			...defenses.shortTokens,
			text: 'Both refresh more often. The refresh token still works for both of them.'
		},
		otherAttack: defenses.signedTokens
	},
	rejected: {
		id: 'token.refresh_token_not_used',
		title: 'The refresh token was not used before',
		text: 'Check of the authorization server. All tokens of this sign-in have ended.',
		place: 'authorization server',
		section: 'RFC 9700 §4.14.2'
	},
	defended: {
		title: 'The copy ends the access',
		text: 'Your copy was used by the victim before, so Tollgate saw two holders. The access has ended for both: the victim signs in again, and you cannot.'
	},
	remains: [
		{ text: 'A lost response looks the same', lab: 'lost-response' },
		{ text: 'The refresh token is kept', rule: 'token.keep_refresh_token' }
	],
	ownClient: [
		'Keep the new refresh token of each response, before you use the access token.',
		'Refresh in one place at a time. Two processes with one token look like a thief.',
		'Store tokens encrypted, and leave them out of backups.'
	],
	hints: [
		'What in the backup still works after the access token has expired?',
		'Look at the goal: it needs two holders. Who uses the other copy?',
		'The tool that sends requests can do what Character Viewer does when an access token has expired.'
	],
	questions: [
		ask(
			'What if the thief refreshes first?',
			['The victim’s refresh ends both', 'The second holder sends a used token.'],
			['The thief keeps the access', 'Only until the victim’s client sends its token.'],
			['Nothing is noticed', 'The second use of a token is noticed from either of them.']
		)
	],
	notes: ['Ask what the client shows when its refresh is rejected: a page “sign in again”, never a loop.']
};
