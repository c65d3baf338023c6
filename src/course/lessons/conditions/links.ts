import type { CodeModule } from '../code-parts.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { exchangedCode, checkOf, isTokenRequest, issuedCode, readCharacter } from '#evidence/exchanges.ts';
import { resultOf } from '../evaluation/result-text.ts';
import { attacker, type Context } from '../evaluation/condition.ts';
import { isLinkRejected, openedLink } from '../evaluation/rejected-codes.ts';

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

export const conditions = {
	link_opened: {
		shows: (entry, { before }) => isLink(entry, before)
	},
	uninvited_exchanged: {
		shows: (entry, { before }) => isUninvited(entry, before)
	},
	attacker_read: {
		shows: (entry, { before }) =>
			readCharacter(entry) && before.some((one, at) => one.flow === entry.flow && isUninvited(one, before.slice(0, at)))
	},
	second_link_rejected: {
		// Our own client reports it. Of another one the service sees that it left the code alone, and began the next sign-in.
		shows: (entry, context) => {
			const { before, entered } = context;
			if (isLinkRejected(entry, entered))
				return linksLeftAlone({ ...context, before: [...before, entry] }).includes(entry);
			if (!issuedCode(entry) || entry.username === attacker) return false;
			const link = linksLeftAlone(context).find(({ client_id }) => client_id === entry.client_id);
			return link !== undefined && [link];
		}
	},
	code_left_alone: {
		shows: (entry, context) => {
			if (!exchangedCode(entry)) return false;
			const issuing = context.before.find((one) => issuedCode(one) && one.flow === entry.flow);
			const link = linksLeftAlone(context).find(
				(one) => issuing !== undefined && one.seq < issuing.seq && one.client_id === entry.client_id
			);
			return link !== undefined && [link];
		}
	}
} satisfies CodeModule['conditions'];

export const comparisons = {
	links: ({ entries, shown }) => {
		const exchangeOf = (link: TrafficEntry | undefined) => {
			const exchange = link && entries.find((entry) => exchangedCode(entry) && entry.flow === link.flow);
			return link && (resultOf(exchange) ?? 'not exchanged');
		};
		return [
			['Code of the attacker', exchangeOf(shown('uninvited_exchanged').at(-1)), exchangeOf(shown('code_left_alone')[0])]
		];
	}
} satisfies CodeModule['comparisons'];
