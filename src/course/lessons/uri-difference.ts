import type { TrafficEntry } from '#api/control/traffic.ts';
import { checkOf, parameter } from '#evidence/exchanges.ts';
import type { Mark } from '#ui/display/marked-parts.ts';

/** How a redirect URI differs from the registered one. */
export type UriDifference = {
	/** `/ added`, `capital C`, `http`, `port 4181`. Undefined: it differs in more than that. */
	readonly label: string | undefined;
	/** The part of the URI that differs. It is empty where something is missing. */
	readonly mark: Mark;
};

const schemeOf = (uri: string) => /^[a-z][a-z\d+.-]*(?=:\/\/)/i.exec(uri)?.[0] ?? '';
const localhost = /^http:\/\/localhost(?::(\d+))?\/?$/;

/** How a redirect URI differs from the registered one; undefined if it does not. */
export function uriDifference(sent: string, registered: string): UriDifference | undefined {
	if (sent === registered) return undefined;
	const scheme = schemeOf(sent);
	if (scheme !== '' && sent.slice(scheme.length) === registered.slice(schemeOf(registered).length))
		return { label: scheme, mark: { start: 0, end: scheme.length } };
	const [, port] = localhost.exec(sent) ?? [];
	if (port !== undefined && localhost.test(registered))
		return { label: `port ${port}`, mark: { start: sent.indexOf(port), end: sent.indexOf(port) + port.length } };
	const mark = differentPart(sent, registered);
	return { mark, label: labelOf(sent, registered, sent.slice(mark.start, mark.end)) };
}

/** What is between the beginning and the end that two texts have in common. */
function differentPart(text: string, other: string): Mark {
	const most = Math.min(text.length, other.length);
	let start = 0;
	while (start < most && text[start] === other[start]) start++;
	let tail = 0;
	while (tail < most - start && text.at(-1 - tail) === other.at(-1 - tail)) tail++;
	return { start, end: text.length - tail };
}

function labelOf(sent: string, registered: string, part: string): string | undefined {
	if (sent === `${registered}/`) return '/ added';
	if (registered === `${sent}/`) return '/ missing';
	if (sent.toLowerCase() !== registered.toLowerCase()) return undefined;
	return part === part.toUpperCase()
		? `capital ${part}`
		: part === part.toLowerCase()
			? `small ${part}`
			: 'letter case';
}

/** How the redirect URI of an authorization request differed from a registered one, in a few words; undefined if it did not. */
export function sentDifference(entry: TrafficEntry): string | undefined {
	if (entry.endpoint !== 'auth') return undefined;
	const sent = parameter(entry, 'redirect_uri');
	if (sent === undefined) return undefined;
	const { expected } = checkOf(entry, 'auth.redirect_uri_registered') ?? {};
	// A URI that was accepted differs in its port at most.
	const registered = expected?.split('\n') ?? ['http://localhost'];
	const labels = registered.map((uri) => uriDifference(sent, uri)?.label);
	const label = labels.find((one) => one !== undefined);
	return expected !== undefined || label?.startsWith('port ') === true ? label : undefined;
}
