import { digest } from '#hosts/digest.ts';
import { attackerOrigin, type BackRequest } from '../engine/site.ts';
import { fieldsOf } from '../engine/character-viewer.ts';
import type { LabRun, LabWorld } from '../engine/lab-run.ts';
import type { Move } from '../engine/lab.ts';
import { arrivesAtClient, parameterOf, type BrowserParty, type Message } from '../engine/message.ts';
import { viewerOrigin } from '../engine/viewer-pages.ts';

/** What a move needs. */
export const isHeld = ({ held }: LabRun) => held !== undefined;
export const holds = (name: string) => (run: LabRun) => run.held?.valueOf(name) !== undefined;
export const hasCopied = (name: string) => (run: LabRun) => run.copied.has(name);
const hasLink = ({ link }: LabRun) => link !== undefined;

/** A user opens a URL. */
export const visit = (party: BrowserParty, url: string) => (run: LabRun) => run.browsers[party].open(url);

/** A user who signs in from the start page of Character Viewer. */
export const signInGoodUser = visit('good_user', `${viewerOrigin}/start`);

/** The attacker sends a request without a browser. */
export const send = (request: (run: LabRun) => BackRequest) => (run: LabRun) => run.sendAs('attacker', request(run));

/** The attacker reads a character of the victim. */
export const readCharacter = (tokenOf: (run: LabRun) => string | undefined) =>
	send((run) => ({
		method: 'GET',
		url: `${run.service.baseUrl}/ws/v2.0/character/${encodeURIComponent('Mara Vell')}`,
		authorization: `Bearer ${tokenOf(run) ?? ''}`
	}));

/**
 * The attacker sends a form to Tollgate without a browser.
 * @param path of the endpoint, below `/ws/oauth2/`
 * @param keep the fields of the response that the attacker copies
 */
export const sendForm =
	(path: string, formOf: (run: LabRun) => Readonly<Record<string, string>>, keep: readonly string[] = []) =>
	async (run: LabRun): Promise<void> => {
		const url = `${run.service.baseUrl}/ws/oauth2/${path}`;
		const fields = fieldsOf((await run.sendAs('attacker', { method: 'POST', url, form: formOf(run) }))?.body);
		for (const name of keep) {
			const value = fields[name];
			if (typeof value === 'string') run.copy(name, value);
		}
	};

/** The attacker's own application at the service. */
export const guildBoard: NonNullable<LabWorld['applications']>[number] = {
	client_id: 'guild-board',
	name: 'Guild board',
	redirect_uri: `${attackerOrigin}/callback`
};
export const boardCredentials = ({ secrets }: LabRun) => ({
	client_id: 'guild-board',
	client_secret: secrets.get('guild-board') ?? ''
});

/** Nothing needs to keep it secret in a lab. */
const ownVerifier = 'guild-board-guild-board-guild-board-guild-board';

/** The query of an authorization request of the attacker's own application. */
export function ownRequest(client_id: string, scope = 'character_read location_read'): string {
	return new URLSearchParams({
		response_type: 'code',
		client_id,
		redirect_uri: guildBoard.redirect_uri,
		scope,
		code_challenge: digest(ownVerifier),
		code_challenge_method: 'S256'
	}).toString();
}

/** Puts such a request on the attacker's page. */
export function linkToSignIn(run: LabRun, client_id = 'guild-board', scope?: string): void {
	run.setLink(`${run.service.baseUrl}/ws/oauth2/auth/?${ownRequest(client_id, scope)}`);
}

/** The code that arrived at the attacker's site last. */
export function receivedCode(run: LabRun): string | undefined {
	const message = run.log.findLast((one) => one.to === 'attacker_site' && parameterOf(one, 'code') !== undefined);
	return message && parameterOf(message, 'code');
}
export const hasReceivedCode = (run: LabRun) => receivedCode(run) !== undefined;

/** The attacker's application exchanges the code that it received, and keeps a token. */
export const exchangeReceived = (kind: 'access_token' | 'refresh_token' = 'access_token'): Move => ({
	isPossible: hasReceivedCode,
	act: sendForm(
		'token/',
		(run) => ({
			grant_type: 'authorization_code',
			code: receivedCode(run) ?? '',
			redirect_uri: guildBoard.redirect_uri,
			...boardCredentials(run),
			code_verifier: ownVerifier
		}),
		[kind]
	),
	isDone: hasCopied(kind)
});

/** The messages that the attacker can hold: the own authorization requests, and the own responses before they reach the client. */
export const isOwnRequest = ({ from, to, url }: Pick<Message, 'from' | 'to' | 'url'>) =>
	from === 'attacker' && to === 'service' && new URL(url).searchParams.has('client_id');
export const isOwnResponse = (message: Pick<Message, 'from' | 'to' | 'url'>) =>
	message.from === 'attacker' && arrivesAtClient(message);

/** Moves of several labs, by their names. */
export const sharedMoves: Readonly<Record<string, Move>> = {
	/** The consent page waits. */
	sign_in: {
		act: ({ browsers }) => browsers.attacker.open(`${viewerOrigin}/start`, { stopsAtConsent: true }),
		isDone: ({ browsers, log }) => browsers.attacker.isAtConsent || log.some((message) => isOwnResponse(message))
	},
	/** The response is held. Where access was allowed before, it follows at once. */
	hold: {
		async act(run) {
			const { attacker } = run.browsers;
			run.hold();
			if (!attacker.isAtConsent) await attacker.open(`${viewerOrigin}/start`, { stopsAtConsent: true });
			if (attacker.isAtConsent) await attacker.decide(true);
			const code = run.held?.valueOf('code');
			if (code !== undefined) run.mark(code);
		},
		isDone: ({ held, link }) => held?.valueOf('code') !== undefined || link !== undefined
	},
	hold_request: {
		async act(run) {
			run.hold();
			await run.browsers.attacker.open(`${viewerOrigin}/start`);
		},
		isDone: ({ log }) => log.some((message) => isOwnRequest(message))
	},
	put_on_page: { isPossible: isHeld, act: (run) => run.putOnPage(), isDone: hasLink },
	/** The victim arrived at the client. */
	open_as_victim: {
		isPossible: hasLink,
		act: (run) => run.openPage('victim'),
		isDone: ({ log }) => log.some((message) => arrivesAtClient(message) && message.from === 'victim')
	},
	open_as_attacker: { isPossible: hasLink, act: (run) => run.openPage('attacker') },
	/** As it is. */
	release: {
		isPossible: isHeld,
		async act(run) {
			for (const { name } of run.held?.fields ?? []) run.undo(name);
			await run.release();
		}
	},
	remove_code: { isPossible: holds('code'), act: (run) => run.change('code', undefined) },
	remove_state: { isPossible: holds('state'), act: (run) => run.change('state', undefined) },
	/** Longer than a code lives. */
	wait: { act: ({ clock }) => clock.advance(11 * 60_000) },
	sign_in_self: { act: visit('attacker', `${viewerOrigin}/start`) },
	link: { act: (run) => linkToSignIn(run), isDone: hasLink },
	exchange: exchangeReceived()
};
