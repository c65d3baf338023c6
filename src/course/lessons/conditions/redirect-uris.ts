import type { CodeModule } from '../code-parts.ts';
import { resultOf } from '../evaluation/result-text.ts';
import { sentDifference } from '../uri-difference.ts';
import type { ComparedRow } from '../lesson.ts';
import { outOfBandUri } from '#client/oauth/client-registration.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Context } from '../evaluation/condition.ts';
import { checkOf, failedAt, parameter, passed } from '#evidence/exchanges.ts';

type Difference = 'scheme' | 'letter_case' | 'slash';

const check = 'auth.redirect_uri_registered';
const localhost = /^http:\/\/localhost(?::(\d+))?\/?$/;

/** The one difference between two URIs, or undefined if there is none, more than one, or another. */
function differenceOf(sent: string, registered: string): Difference | undefined {
	if (sent === registered) return undefined;
	if (sent.toLowerCase() === registered.toLowerCase()) return 'letter_case';
	if (sent === `${registered}/` || registered === `${sent}/`) return 'slash';
	return afterScheme(sent) !== undefined && afterScheme(sent) === afterScheme(registered) ? 'scheme' : undefined;
}

function afterScheme(uri: string): string | undefined {
	return /^[a-z][a-z\d+.-]*:\/\/(.*)$/is.exec(uri)?.[1];
}

const rejectedFor =
	(difference: Difference) =>
	(entry: TrafficEntry): boolean => {
		const { found, expected } = checkOf(entry, check) ?? {};
		if (!failedAt(entry, check) || found === undefined || expected === undefined) return false;
		const registered = expected.split('\n');
		// The port of an installed application is no difference.
		const sent = registered.includes(outOfBandUri) ? found.replace(/^(https?:\/\/localhost):\d+/i, '$1') : found;
		return registered.some((uri) => differenceOf(sent, uri) === difference);
	};

/** The port of a redirect URI on localhost that the service accepted, with the application. */
function acceptedPort(entry: TrafficEntry): { client_id: string; port: number } | undefined {
	const [uri, port = 80] = localhost.exec(parameter(entry, 'redirect_uri') ?? '') ?? [];
	if (entry.endpoint !== 'auth' || entry.client_id === undefined || uri === undefined || !passed(entry, check))
		return undefined;
	return { client_id: entry.client_id, port: Number(port) };
}

/** The same application was accepted with another port in this step. */
function secondPortAccepted(entry: TrafficEntry, { since }: Context): false | readonly TrafficEntry[] {
	const second = acceptedPort(entry);
	const earlier = since.find((one) => {
		const first = acceptedPort(one);
		return first !== undefined && first.client_id === second?.client_id && first.port !== second.port;
	});
	return earlier !== undefined && [earlier];
}

export const conditions = {
	slash_rejected: {
		shows: rejectedFor('slash')
	},
	letter_case_rejected: {
		shows: rejectedFor('letter_case')
	},
	scheme_rejected: {
		shows: rejectedFor('scheme')
	},
	port_accepted: {
		shows: secondPortAccepted
	}
} satisfies CodeModule['conditions'];

export const comparisons = {
	differences: ({ shown }) => {
		const row = (label: string, condition: string): ComparedRow => {
			const entry = shown(condition).at(-1);
			return [label, entry && sentDifference(entry), resultOf(entry)];
		};
		return [
			row('Slash', 'slash_rejected'),
			row('Letter case', 'letter_case_rejected'),
			row('Scheme', 'scheme_rejected'),
			row('Port', 'port_accepted')
		];
	}
} satisfies CodeModule['comparisons'];
