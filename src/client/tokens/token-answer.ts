import { Problem } from '../problems.ts';
import { isXml } from '../resources/answer.ts';
import { hasFields, treeOf, treeOfJson, type Tree, type XmlReader } from '../xml.ts';

/** What came of an exchange or a refresh, in the client's own terms. */
export type TokenAnswer = {
	readonly access_token: string;
	readonly refresh_token: string | null;
	/** What the token covers; null where the answer did not say. */
	readonly scope: readonly string[] | null;
	/** Milliseconds that it lives; null where the answer gave no sensible number: good until it is refused. */
	readonly lifetime: number | null;
};

/** No access token is trusted for longer than this, whatever `expires_in` says. */
const longest = 30 * 24 * 3600;

/**
 * `expires_in` as milliseconds. A number or its text; zero, negative, missing and senseless values say nothing, and
 * enormous ones are cut to 30 days.
 * @param told in seconds (the specification's sample shows no unit; the service counts seconds)
 */
export function lifetimeOf(told: unknown): number | null {
	const seconds = typeof told === 'string' && told.trim() !== '' ? Number(told) : told;
	if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return null;
	return Math.min(seconds, longest) * 1000;
}

/**
 * An answer of the token endpoint, JSON or XML, brought into the form that oauth4webapi takes: JSON, a `token_type`
 * (section 2.4 promises none), and an `expires_in` that is a positive number or absent.
 * @param response as received
 * @param readXml lent by the host
 * @throws {Problem} `unreadable` where a success is neither JSON nor XML with root `OAuth`
 */
export async function conformAnswer(response: Response, readXml: XmlReader): Promise<Response> {
	const text = await response.text();
	const fields = isXml(response) ? fieldsOfXml(text, readXml) : treeOfJson(text);
	if (!hasFields(fields)) {
		if (response.ok) throw new Problem('unreadable', '', { status: response.status });
		return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
	}
	const { expires_in, ...rest } = fields;
	const lifetime = lifetimeOf(expires_in);
	const conform = response.ok
		? { token_type: 'OAuth', ...rest, ...(lifetime === null ? {} : { expires_in: lifetime / 1000 }) }
		: rest;
	// The challenge of a 401 is left out: what went wrong stands in the body, which oauth4webapi would not read then.
	return new Response(JSON.stringify(conform), {
		status: response.status,
		headers: { 'content-type': 'application/json' }
	});
}

function fieldsOfXml(text: string, readXml: XmlReader): Tree | undefined {
	const root = readXml(text);
	return root?.name === 'OAuth' ? treeOf(root) : undefined;
}
