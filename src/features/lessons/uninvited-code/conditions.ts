import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Condition, Evidence } from '../evaluation/condition.ts';
import { checkOf, exchangedCode, isTokenRequest, issuedCode, readCharacter } from '#evidence/exchanges.ts';

/** A link with the code of one user, which a browser opened. */
type Link = { readonly opened: TrafficEntry; readonly flow: string; readonly attacker: string; readonly at: number };

/** What is known about the first link whose code was exchanged. */
type Attack = Link & {
	readonly exchanged: TrafficEntry;
	readonly read: TrafficEntry | undefined;
	readonly end: number;
};

/** The service redirected a browser to a client with a code. */
const openedLink = ({ endpoint, request, response }: TrafficEntry) =>
	endpoint === 'control' && /\/control\/authorization-response(\?|$)/.test(request.target) && response?.status === 303;

/** The links that were opened with a code that the service had issued before, oldest first. */
function linksIn(entries: readonly TrafficEntry[]): Link[] {
	return entries.flatMap((opened, at) => {
		const { flow } = opened;
		if (flow === undefined || !openedLink(opened)) return [];
		const issuing = entries.slice(0, at).find((entry) => issuedCode(entry) && entry.flow === flow);
		return issuing?.username === undefined ? [] : [{ opened, flow, attacker: issuing.username, at }];
	});
}

/** The first attack that succeeded; one that led to the data of the attacker goes before others. */
function attackIn({ entries }: Evidence): Attack | undefined {
	const attacks = linksIn(entries).flatMap((link) => {
		const later = entries.slice(link.at);
		const exchanged = later.find((entry) => exchangedCode(entry) && entry.flow === link.flow);
		if (exchanged === undefined) return [];
		const read = later.find((entry) => readCharacter(entry) && entry.flow === link.flow);
		return [{ ...link, exchanged, read, end: entries.indexOf(exchanged) }];
	});
	return attacks.find(({ read }) => read !== undefined) ?? attacks[0];
}

/** Links with other codes that the same client was sent after the attack. */
function laterLinks(evidence: Evidence): Link[] {
	const attack = attackIn(evidence);
	if (attack === undefined) return [];
	const { client_id } = attack.opened;
	return linksIn(evidence.entries).filter(
		({ at, flow, opened }) => at > attack.end && flow !== attack.flow && opened.client_id === client_id
	);
}

/** The client sent the code, and not only PKCE stopped it. */
const sentCode = (entry: TrafficEntry, { flow }: Link) =>
	isTokenRequest(entry, 'authorization_code') &&
	entry.flow === flow &&
	checkOf(entry, 'token.code_verifier_matches')?.outcome !== 'failed';

/** A sign-in of another user that began and ended after a link was opened, while the code of the link was left alone. */
function goodSignIn({ entries }: Evidence, link: Link): readonly TrafficEntry[] | undefined {
	const later = entries.slice(link.at + 1);
	const begun = later.filter(
		(entry) =>
			issuedCode(entry) &&
			entry.client_id === link.opened.client_id &&
			![undefined, link.attacker].includes(entry.username)
	);
	const done = later.findIndex((entry) => exchangedCode(entry) && begun.some(({ flow }) => flow === entry.flow));
	const exchanged = later[done];
	if (exchanged === undefined || later.slice(0, done).some((entry) => sentCode(entry, link))) return undefined;
	return [link.opened, exchanged];
}

export const conditions: readonly Condition[] = [
	{
		id: 'link_created',
		label: 'The attacker got a code',
		unmet: 'The attacker has no code yet. Turn the state check off, and create a link.',
		shownBy: ({ entries }) => {
			const found = entries.find(issuedCode);
			return found && [found];
		}
	},
	{
		id: 'link_opened',
		label: 'The victim opened the link of the attacker',
		unmet: 'No browser has opened a link with the attacker’s code. Create one, then open it as the victim.',
		shownBy: ({ entries }) => {
			const [link] = linksIn(entries);
			return link && [link.opened];
		}
	},
	{
		id: 'uninvited_exchanged',
		label: 'The application exchanged the uninvited code',
		unmet:
			'The link was opened. The application did not exchange its code. Turn the state check off, then open a new link.',
		shownBy: (evidence) => {
			const attack = attackIn(evidence);
			return attack && [attack.exchanged];
		}
	},
	{
		id: 'attacker_read',
		label: 'The application showed a character with the attacker’s token',
		unmet: 'The application has a token of the attacker. It has not read a character with it.',
		shownBy: (evidence) => {
			const read = attackIn(evidence)?.read;
			return read && [read];
		}
	},
	{
		id: 'second_link_opened',
		label: 'The victim opened a second link',
		unmet: 'The attack worked. Turn the state check on, and open a link with a new code in the same application.',
		shownBy: (evidence) => {
			const [link] = laterLinks(evidence);
			return link && [link.opened];
		}
	},
	{
		id: 'code_left_alone',
		label: 'The application left that code alone, and its own users can sign in',
		unmet:
			'A second link was opened. Now sign in as player-one in the same application. The code of that link must stay unused.',
		shownBy: (evidence) => {
			for (const link of laterLinks(evidence)) {
				const found = goodSignIn(evidence, link);
				if (found !== undefined) return found;
			}
			return undefined;
		}
	}
];
