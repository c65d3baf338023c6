import { documentedCause } from './providers/provider-errors.ts';
import { decodeBase64 } from './jwt-claims.ts';
import { valueIn, type Pair, type RawExchange } from './raw-exchange.ts';

const longestPage = 100_000;

/** The error that a page of an authorization server shows, in the words of the page. */
export type PageError = { readonly name: string; readonly text: string };

const standardNames =
	/^(?:invalid_(?:request|client|scope|grant)|unauthorized_client|unsupported_response_type|access_denied|(?:consent|login|interaction)_required|server_error|temporarily_unavailable|cookie_not_found)$|redirect/;
const name = /\b(?:[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+)\b/g;
const negative =
	/\b(?:not|no|doesn't|isn't|mismatch\w*|invalid|must|unknown|missing|wrong|illegal|unregistered|error)\b/i;
// Between the words, only words in lower case are read: a page also has the names of users.
const redirectWords =
	/(?:\b(?:[Ii]nvalid|[Uu]nknown|[Mm]issing|[Ii]llegal|[Uu]nregistered|[Tt]he),?(?: [a-z',]+:?){0,4} '?)?\b(?:(?:[Rr]edirect(?:ion)?|[Cc]allback|[Rr]eply)[ _-]?(?:[Uu][Rr][IiLl]s?|[Aa]ddress)|(?<=[Ii]nvalid )[Rr]edirect)\b'?(?: (?:[a-z'(]+[,)]?|[Ee]rror\b)){0,14}/g;
const otherWords =
	/\bauthorization code (?:was |is )?(?:not found|invalid|expired|already used)(?: or (?:was |has )?(?:already )?(?:used|expired))?|\b(?:client|application|app) (?:was |is )?(?:not found|not registered|unknown|disabled|deleted)|unknown client|cookies? (?:not found|are (?:disabled|blocked|required))|enable cookies|(?:session|page|login|action) (?:has )?expired|code.challenge (?:is )?required|missing parameter: {0,3}code_challenge|invalid scopes?|admin approval required|access (?:blocked|denied)|not assigned to|domain of this url isn't included|csrf (?:token|check|verification)(?: [a-z]+){1,3}|(?:invalid|missing|mismatching) state\b|\bstate (?:mismatch|does not match)/i;

/** What the page of a response shows. Of its text, only the words of an error are read. Undefined where it shows none. */
export function pageErrorOf({ query, responseBody, responseType }: RawExchange): PageError | undefined {
	const named = nameIn(decodeBase64((valueIn(query, 'autherror') ?? '').replaceAll(' ', '+')) ?? '');
	if (named !== undefined) return { name: named, text: '' };
	if (responseType !== 'text/html' && !/^\s*<(?:!doctype|html)/i.test(responseBody)) return undefined;
	const page = responseBody.slice(0, longestPage);
	const [code] = /\bAADSTS\d{5,8}\b/.exec(page) ?? [];
	if (code !== undefined) return { name: code, text: '' };
	const text = visibleText(page);
	const redirect = [...text.matchAll(redirectWords)].find(([words]) => negative.test(words));
	const found = nameIn(text) ?? '';
	const others = otherWords.exec(text)?.[0] ?? '';
	// Google begins all its error pages with these words.
	const isHeading = found === 'invalid_request' && /^access blocked$/i.test(others);
	const words = redirect === undefined ? (isHeading ? '' : others) : quoteOf(redirect);
	return found + words === '' ? undefined : { name: found, text: words };
}

/** Words of a text, with a mark where its sentence goes on. */
const quoteOf = ({ 0: words, index, input }: RegExpExecArray) =>
	words + (/^ ?[\w"]/.test(input.slice(index + words.length)) ? ' …' : '');

/** The first name of an error that a standard or a provider documents. */
function nameIn(text: string): string | undefined {
	const names = [...text.matchAll(name)].map(([found]) => found);
	return names.find(
		(one) => documentedCause([one]) !== undefined || (standardNames.test(one.toLowerCase()) && one !== 'redirect_uri')
	);
}

/** The text of a page without its scripts, styles and tags. */
function visibleText(page: string): string {
	const parts = page.split(/<(\/?)(?:script|style)\b[^<>]{0,2000}>/i);
	const shown = parts.filter((_, at) => at % 2 === 0 && parts[at - 1] !== '');
	return shown
		.join(' ')
		.replace(/<[^<>]{0,2000}>/g, ' ')
		.replaceAll(/&(?:#39|apos|quot);/g, "'")
		.replaceAll(/\s+/g, ' ');
}

const responseNames = /^(?:code|state|id_token|access_token|error|error_description|iss|session_state)$/;

/** The fields of an authorization response that a page posts: as a form (form_post), or as a message to another page (web_message). */
export function responseFields(given: string): Pair[] {
	const page = given.slice(0, longestPage);
	const inputs = [...page.matchAll(/<input\b[^<>]{0,4000}>/gi)].slice(0, 40).flatMap(([tag]): Pair[] => {
		const field = /\bname\s{0,3}=\s{0,3}["']([^"']{1,100})["']/i.exec(tag)?.[1];
		const value = /\bvalue\s{0,3}=\s{0,3}["']([^"']{0,4000})["']/i.exec(tag)?.[1];
		return field === undefined || value === undefined ? [] : [[field, value]];
	});
	const message = /\.postMessage\(/.test(page)
		? [...page.matchAll(/\b([a-z_]{3,20})["']?\s{0,3}[:=]\s{0,3}(?:"([^"\n]{1,4000})"|'([^'\n]{1,4000})')/g)]
				.slice(0, 200)
				.map(([, field = '', double, single]): Pair => [field, unescaped(double ?? single ?? '')])
		: [];
	const fields = [...inputs, ...message].filter(([field]) => responseNames.test(field));
	const names = fields.map(([field]) => field);
	const isResponse = names.includes('state') && names.some((one) => /^(?:code|id_token|access_token|error)$/.test(one));
	return isResponse ? fields : [];
}

const unescaped = (text: string) =>
	text.replace(/\\(?:x|u00)([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
