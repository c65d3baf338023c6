import { issued } from '#evidence/exchanges.ts';
import { digest } from '#hosts/web-service.ts';
import { attackerOrigin } from '../engine/attacker-site.ts';
import { fieldsOf } from '../engine/character-viewer.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';
import type { Lab, LabAction, LabNearMiss, LabStep } from '../engine/lab.ts';
import type { LabRun } from '../engine/lab-run.ts';
import { originOf, parameterOf, shorten, type Message } from '../engine/message.ts';

/** Whether the message leads to the redirect URI of the client. */
export const isCallback = ({ to, url }: Pick<Message, 'to' | 'url'>) =>
	to === 'client' && new URL(url).pathname.startsWith('/callback');

/** The attacker's own authorization responses, before they reach the client. */
export const holdsOwnResponse = (message: Pick<Message, 'from' | 'to' | 'url'>) =>
	message.from === 'attacker' && isCallback(message);

/** The attacker signs in, and the consent page waits. */
export const signInAttacker: LabStep = {
	title: 'Sign in as `player-three`',
	text: 'Start a sign-in at Character Viewer with your own account. Do not allow access yet: first you need the tool that holds the response.',
	id: 'sign_in',
	label: 'Sign in with Tollgate',
	place: 'attacker',
	isPossible: () => true,
	act: async ({ browsers }) => void (await browsers.attacker.open(`${viewerOrigin}/start`, { stopsAtConsent: true })),
	isDone: ({ browsers, log }) =>
		browsers.attacker.isAtConsent || log.some((message) => isCallback(message) && message.from === 'attacker')
};

/** The attacker allows access, and the response is held. Where access was allowed before, it follows at once. */
export const holdResponse: LabStep = {
	title: 'Hold the redirect with the code',
	text: 'Hold the next message, and allow access. Your browser is redirected with a code for your account. Stop it before it arrives.',
	id: 'hold',
	label: 'Hold and allow',
	isPossible: () => true,
	async act(run) {
		const { attacker } = run.browsers;
		run.hold();
		if (!attacker.isAtConsent) await attacker.open(`${viewerOrigin}/start`, { stopsAtConsent: true });
		if (attacker.isAtConsent) await attacker.decide(true);
		const code = run.held?.valueOf('code');
		if (code !== undefined) run.mark(code);
	},
	isDone: ({ held, link }) => held?.valueOf('code') !== undefined || link !== undefined
};

/** Puts the held message on the attacker's page. */
export const putOnPage: Omit<LabStep, 'text'> = {
	title: 'Put the message on your page',
	id: 'put_on_page',
	place: 'held',
	label: 'Put on my page',
	isPossible: ({ held }) => held !== undefined,
	act: (run) => run.putOnPage(),
	isDone: ({ link }) => link !== undefined
};

/** The victim visits the attacker's page. */
export const openAsVictim: Omit<LabStep, 'text' | 'isDone'> = {
	title: 'Open the page as the victim',
	id: 'open_as_victim',
	label: 'Open as the victim',
	place: 'victim',
	isPossible: ({ link }) => link !== undefined,
	act: (run) => run.openPage('victim')
};

/** The held message arrives, as it is. */
export const release: LabAction = {
	id: 'release',
	place: 'held',
	label: 'Release unchanged',
	isPossible: ({ held }) => held !== undefined,
	async act(run) {
		for (const { name } of run.held?.fields ?? []) run.undo(name);
		await run.release();
	}
};

/** The attacker opens the own link. */
export const openAsAttacker: LabAction = {
	id: 'open_as_attacker',
	label: 'Open my page',
	place: 'attacker',
	isPossible: ({ link }) => link !== undefined,
	act: (run) => run.openPage('attacker')
};

/** Removes the code of the held message. */
export const removeCode: LabAction = {
	id: 'remove_code',
	place: 'held',
	label: 'Remove code',
	isPossible: ({ held }) => held?.valueOf('code') !== undefined,
	act: (run) => run.change('code', undefined)
};

/** Removes the state of the held message. */
export const removeState: LabAction = {
	id: 'remove_state',
	place: 'held',
	label: 'Remove state',
	isPossible: ({ held }) => held?.valueOf('state') !== undefined,
	act: (run) => run.change('state', undefined)
};

/** The clock of the lab moves ahead of the lifetime of a code. */
export const wait: LabAction = {
	id: 'wait',
	label: 'Wait 11 minutes',
	isPossible: () => true,
	act: ({ clock }) => clock.advance(11 * 60_000)
};

/** The first message that a check or rule rejected. @param id of the check or rule */
export const rejectedBy =
	(id: string) =>
	(sent: readonly Message[]): Message | undefined =>
		sent.find(({ rejection }) => rejection?.id === id);

/** A parameter of a message, as its row shows it. */
export const valueIn = (message: Message, name: string) => `\`${shorten(parameterOf(message, name) ?? 'none')}\``;

/** The exchange of a code that the attacker's browser brought. */
const exchangedByAttacker: LabNearMiss['happened'] = (sent, { log }) =>
	sent.find(
		(message) =>
			message.entry?.endpoint === 'token' &&
			message.status === 200 &&
			originOf(log, message) === 'attacker' &&
			parameterOf(message, 'code') !== undefined
	);

/** The attacker's browser brought the code. */
export const ownExchange: LabNearMiss = {
	happened: exchangedByAttacker,
	text: (message) =>
		`Your own browser brought the code ${valueIn(message, 'code')}, so its token is in **your** session.`,
	look: 'the browser where the code arrived, and the user of this code.'
};

/** A code that was exchanged after its lifetime. */
export const expired: LabNearMiss = {
	happened: rejectedBy('token.code_not_expired'),
	text: (message) => `The code ${valueIn(message, 'code')} was older than 10 minutes when it arrived.`,
	look: 'the time between the row with this code and the exchange.'
};

/** The attacker looks what a sign-in at Character Viewer sends, as themselves. */
export const signInSelf: LabAction = {
	id: 'sign_in_self',
	label: 'Sign in at Tollgate as yourself',
	place: 'attacker',
	isPossible: () => true,
	act: async ({ browsers }) => void (await browsers.attacker.open(`${viewerOrigin}/start`))
};

/** The attacker's own authorization requests. */
export const holdsOwnRequest = ({ from, to, url }: Pick<Message, 'from' | 'to' | 'url'>) =>
	from === 'attacker' && to === 'service' && new URL(url).searchParams.has('client_id');

/** The attacker starts a sign-in, and its request to Tollgate is held. */
export const holdRequest: LabStep = {
	title: 'Start a sign-in, and hold it',
	text: 'Hold the next message, and select **Sign in** at Character Viewer. Your browser is redirected to Tollgate. Stop it before it arrives.',
	id: 'hold_request',
	label: 'Sign in and hold',
	place: 'attacker',
	isPossible: () => true,
	async act(run) {
		run.hold();
		await run.browsers.attacker.open(`${viewerOrigin}/start`);
	},
	isDone: ({ log }) => log.some((message) => holdsOwnRequest(message))
};

/** What the attacker has in several labs. */
export const tools = {
	account: { kind: 'account', text: 'An account, `player-three`' },
	hold: { kind: 'hold', text: 'A tool that holds and edits your messages' },
	page: { kind: 'page', text: 'A page that the victim visits' },
	application: { kind: 'server', text: 'An application at Tollgate' },
	requests: { kind: 'request', text: 'A tool that sends requests' }
} as const satisfies Readonly<Record<string, Lab['tools'][number]>>;

/** The parties of a sign-in, from the left. */
export const signInParties = [
	{ party: 'attacker', name: 'Attacker' },
	{ party: 'victim', name: 'Victim' },
	{ party: 'client', name: 'Viewer' },
	{ party: 'service', name: 'Tollgate' }
] as const;

/** An option of a question, and what a learner reads who chooses it. */
type Choice = readonly [text: string, reply: string];

/** A question. The right option is not always the first one. */
export function ask(question: string, right: Choice, ...wrong: readonly Choice[]): Lab['questions'][number] {
	const options = wrong.map(([text, reply]) => ({ text, reply, isRight: false }));
	const [text, reply] = right;
	return { question, options: options.toSpliced(question.length % 3, 0, { text, reply, isRight: true }) };
}

/** Of the attacker's own application: nothing needs to keep it secret in a lab. */
const ownVerifier = 'guild-board-guild-board-guild-board-guild-board';
const ownChallenge = digest(ownVerifier);

/** The query of an authorization request of the attacker's own application. */
export function ownRequest(client_id: string, scope = 'character_read location_read'): string {
	return new URLSearchParams({
		response_type: 'code',
		client_id,
		redirect_uri: `${attackerOrigin}/callback`,
		scope,
		code_challenge: ownChallenge,
		code_challenge_method: 'S256'
	}).toString();
}

/** Puts such a request on the attacker's page. */
export function linkToSignIn(run: LabRun, client_id: string, scope?: string): void {
	run.setLink(`${run.service.baseUrl}/ws/oauth2/auth/?${ownRequest(client_id, scope)}`);
}

/** The attacker's page gets a link to a sign-in with the attacker's own application. */
export const linkToOwn = (scope?: string): Omit<LabStep, 'text'> => ({
	title: 'Put a sign-in on your page',
	id: 'link',
	label: 'Put the link on my page',
	isPossible: () => true,
	act: (run) => linkToSignIn(run, 'guild-board', scope),
	isDone: ({ link }) => link !== undefined
});

/** The code that arrived at the attacker's site last. */
export function receivedCode(run: LabRun): string | undefined {
	const message = run.log.findLast((one) => one.to === 'attacker_site' && parameterOf(one, 'code') !== undefined);
	return message && parameterOf(message, 'code');
}

/** The message by which the service issued a code or token of a user to an application. */
export const issuedTo = (
	log: readonly Message[],
	kind: 'code' | 'access_token',
	username: string,
	isClient: (id: string) => boolean
) =>
	log.find(
		({ entry }) =>
			entry !== undefined &&
			issued(entry, kind) !== undefined &&
			entry.username === username &&
			isClient(entry.client_id ?? '')
	);

/**
 * The attacker sends a form to Tollgate without a browser.
 * @param path of the endpoint, below `/ws/oauth2/`
 * @param keep the fields of the response that the attacker copies
 */
export async function sendForm(
	run: LabRun,
	path: string,
	form: Readonly<Record<string, string>>,
	keep: readonly string[] = []
): Promise<void> {
	const response = await run.sendAsAttacker({ method: 'POST', url: `${run.service.baseUrl}/ws/oauth2/${path}`, form });
	const fields = fieldsOf(response?.body);
	for (const name of keep) {
		const value = fields[name];
		if (typeof value === 'string') run.copy(name, value);
	}
}

/** The attacker's application exchanges the code that it received, and keeps a token. */
export const exchangeReceived = (kind: 'access_token' | 'refresh_token' = 'access_token'): Omit<LabStep, 'text'> => ({
	title: 'Exchange the code',
	id: 'exchange',
	label: 'Exchange the code',
	isPossible: (run) => receivedCode(run) !== undefined,
	act: (run) =>
		sendForm(
			run,
			'token/',
			{
				grant_type: 'authorization_code',
				code: receivedCode(run) ?? '',
				redirect_uri: `${attackerOrigin}/callback`,
				client_id: 'guild-board',
				client_secret: run.secrets.get('guild-board') ?? '',
				code_verifier: ownVerifier
			},
			[kind]
		),
	isDone: ({ copied }) => copied.has(kind)
});
