import type { TrafficEntry } from '#api/control/traffic.ts';
import { attacker, learner } from '../evaluation/common-conditions.ts';
import type { Condition, Context } from '../evaluation/condition.ts';
import { checkOf, exchangedCode, isTokenRequest, issuedCode, readCharacter } from '#evidence/exchanges.ts';

/** The service redirected a browser to a client with a code. */
const openedLink = ({ endpoint, request, response }: TrafficEntry) =>
	endpoint === 'control' && /\/control\/authorization-response(\?|$)/.test(request.target) && response?.status === 303;

/** The exchange that issued the code of a link to the attacker. */
const issuingOf = (before: readonly TrafficEntry[], { flow }: TrafficEntry) =>
	before.find((entry) => issuedCode(entry) && entry.flow === flow && entry.username === attacker);

/** A browser opened a link with a code of the attacker. */
const isLink = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	entry.flow !== undefined && openedLink(entry) && issuingOf(before, entry) !== undefined;

/** The links that were opened, oldest first. */
const linksIn = (entries: readonly TrafficEntry[]) =>
	entries.filter((entry, at) => openedLink(entry) && isLink(entry, entries.slice(0, at)));

/** The application exchanged the code of a link that was opened. */
const isUninvited = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	exchangedCode(entry) && linksIn(before).some(({ flow }) => flow === entry.flow);

/** The client sent the code of a link, and not only PKCE stopped it. */
const sentCode = (entry: TrafficEntry, { flow }: TrafficEntry) =>
	isTokenRequest(entry, 'authorization_code') &&
	entry.flow === flow &&
	checkOf(entry, 'token.code_verifier_matches')?.outcome !== 'failed';

/** The links that were opened after the attack, and whose code the application left alone. */
function linksLeftAlone({ before, shown }: Context): TrafficEntry[] {
	const [attack] = shown('uninvited_exchanged');
	return linksIn(before).filter(
		(link) =>
			attack !== undefined &&
			link.seq > attack.seq &&
			link.client_id === attack.client_id &&
			!before.some((entry) => sentCode(entry, link))
	);
}

export const conditions: readonly Condition[] = [
	{
		id: 'link_created',
		label: 'The attacker got a code',
		unmet: 'The attacker has no code yet. Turn the state check off, and create a link.',
		user: attacker,
		shows: issuedCode
	},
	{
		id: 'link_opened',
		label: 'The victim opened the link of the attacker',
		unmet: 'No browser has opened a link with the attacker’s code. Create one, then open it as the victim.',
		shows: (entry, { before }) => isLink(entry, before)
	},
	{
		id: 'uninvited_exchanged',
		label: 'The application exchanged the uninvited code',
		unmet:
			'The link was opened. The application did not exchange its code. Turn the state check off, then open a new link.',
		shows: (entry, { before }) => isUninvited(entry, before)
	},
	{
		id: 'attacker_read',
		label: 'The application showed a character with the attacker’s token',
		unmet: 'The application has a token of the attacker. It has not read a character with it.',
		shows: (entry, { before }) =>
			readCharacter(entry) && before.some((one, at) => one.flow === entry.flow && isUninvited(one, before.slice(0, at)))
	},
	{
		id: 'second_link_opened',
		label: 'The victim opened a second link',
		unmet: 'The attack worked. Turn the state check on, and open a link with a new code in the same application.',
		shows: (entry, { before, shown }) =>
			isLink(entry, before) &&
			entry.client_id === shown('uninvited_exchanged')[0]?.client_id &&
			!before.some((one) => exchangedCode(one) && one.flow === entry.flow)
	},
	{
		id: 'code_left_alone',
		label: 'The application left that code alone, and its own users can sign in',
		unmet:
			'A second link was opened. Now sign in as player-one in the same application. The code of that link must stay unused.',
		user: learner,
		shows: (entry, context) => {
			if (!exchangedCode(entry)) return false;
			const issuing = context.before.find((one) => issuedCode(one) && one.flow === entry.flow);
			const link = linksLeftAlone(context).find(
				(one) => issuing !== undefined && one.seq < issuing.seq && one.client_id === entry.client_id
			);
			return link !== undefined && [link];
		}
	}
];
