import { Problem, plain } from '../problems.ts';
import { hasFields, treeOf, treeOfJson, type Tree, type XmlReader } from '../xml.ts';
import { budgetOf, type Budget } from './ledger.ts';

/** Encodings that a resource speaks. */
export type Format = 'json' | 'xml';

/** What a resource answered, read but not yet judged. */
export type Answer = {
	readonly status: number;
	readonly format: Format;
	/** As it came. */
	readonly text: string;
	/** As data; undefined where it is neither JSON nor XML. */
	readonly tree: Tree | undefined;
	readonly budget: Budget | undefined;
	readonly requestId: string | undefined;
};

/** Whether an answer says that it is XML. */
export function isXml({ headers }: Response): boolean {
	return (headers.get('content-type') ?? '').includes('xml');
}

/**
 * Reads an answer to its end.
 * @param response as received
 * @param readXml lent by the host
 */
export async function readAnswer(response: Response, readXml: XmlReader): Promise<Answer> {
	const text = await response.text();
	const format = isXml(response) ? 'xml' : 'json';
	return {
		status: response.status,
		format,
		text,
		tree: treeIn(text, format, readXml),
		budget: budgetOf(response.headers),
		requestId: response.headers.get('x-request-id') ?? undefined
	};
}

/**
 * The body of an answer as data; undefined where it is not in its encoding.
 * @param text as it came
 * @param format its encoding
 * @param readXml lent by the host
 */
export function treeIn(text: string, format: Format, readXml: XmlReader): Tree | undefined {
	if (format === 'json') return treeOfJson(text);
	const root = readXml(text);
	return root && treeOf(root);
}

/**
 * The error that an answer stands for; undefined where it is a success. A 400 for a used-up limit and a 400 for a bad
 * request are told apart by the body, and by `Remaining: 0` only where the body says nothing.
 * @param answer that was read
 */
export function errorOf(answer: Answer): Problem | undefined {
	const { status, tree, budget, requestId } = answer;
	if (status >= 200 && status < 300) return undefined;
	const fields = hasFields(tree) ? tree : {};
	const said = typeof fields.error === 'string' ? plain(fields.error) : undefined;
	const detail = typeof fields.error_description === 'string' ? plain(fields.error_description) : '';
	const more = { status, ...(requestId === undefined ? {} : { requestId }) };
	return new Problem(said ?? guess(status, budget), detail, more);
}

function guess(status: number, budget: Budget | undefined): string {
	if (status === 400 && budget?.remaining === 0) return 'rate_limit_exceeded';
	if (status >= 500) return 'server_error';
	const names: Record<number, string> = {
		400: 'invalid_request',
		401: 'invalid_token',
		403: 'insufficient_scope',
		404: 'not_found',
		429: 'too_many_attempts'
	};
	return names[status] ?? 'unreadable';
}
