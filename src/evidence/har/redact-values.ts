import {
	encodeWithLabels,
	labelKinds,
	namesOfKinds,
	removed,
	type ForeignLabels,
	type LabelKind
} from './foreign-labels.ts';
import { fieldOf, isObject } from './json-fields.ts';
import { splitUrl, type Pair } from './raw-exchange.ts';

// What a file keeps is an allow list: a value that has no known name is removed. A list of secrets would always lack one.

/** The kinds of values that get a label, by the names of their parameters and fields. */
export const kindsOfNames: ReadonlyMap<string, LabelKind> = new Map(
	labelKinds.flatMap((kind) => namesOfKinds[kind].split(' ').map((name) => [name, kind] as const))
);

/** Names of values that are never shown. */
const secretName =
	/(?:pass|passcode|passwd|password|passphrase|pwd|pw|secret|key|otp|totp|pin|answe[r]|credential|cookie|captcha\w*)$/;

/** Parameters and fields with values that are public, or that explain an error. */
const openNames = new Set(
	`clientid redirecturi responsetype responsemode scope scopes userscope botscope granttype codechallenge codechallengemethod prompt
	maxage acrvalues uilocales error errordescription erroruri errorreason errorsubcode errorcodes errormessage errcode errmsg iss issuer aud audience
	resource accesstype includegrantedscopes expiresin expires expireson extexpiresin refreshexpiresin refreshtokenexpiresin tokentype
	display tokentypehint postlogoutredirecturi logouturi returnto clientassertiontype subjecttokentype requestedtokentype interval
	verificationuri verificationurl verificationuricomplete approvalprompt apiversion page perpage limit offset active ok warning needed
	provided message err errors details category tag statuscode status title detail type errorsummary suberror errorusermsg reason exp iat nbf authtime acr amr ver authorizationdetails`.split(
		/\s+/
	)
);

/** Parameters and fields with addresses of the protocol. All others may identify a user: that of a picture, a profile, a site. */
const urlNames = new Set(
	`redirecturi iss issuer aud audience resource erroruri returnto returnurl returnuri next continue callbackurl postlogoutredirecturi
	logouturi instanceurl verificationuri verificationurl verificationuricomplete wreply wtrealm targetlinkuri`.split(
		/\s+/
	)
);

/** What a program sends for a value that it does not have. It is no secret. */
export const isLiteralNothing = (value: string) => /^(?:undefined|null|None|NaN|\[object Object\])$/.test(value);

const phone = /\+\d[\d ().-]{6,20}\d\b/g;
const address = /(?<![\d./])(?!127\.|10\.|192\.168\.|0\.0\.)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g;
/** The name of an error: all in one case, and no random value. */
const errorName = /^(?:[a-z]+(?:[_.:-][a-z]+)*|[A-Z]+(?:[_.-][A-Z]+)*)[_-]?\d{0,10}$/;
/** A scope of words, such as `esi-assets.read_assets.v1`. */
const scopeWords = /^[a-z]{2,24}(?:[._:/-][a-z]{1,24})+(?:[._-]v?\d{1,2})?$/;
const email = /[\w.%+-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
const jwt = /eyJ[\w-]{5,}\.[\w-]*(?:\.[\w-]*){0,3}/g;
const longToken = /(?<![\w.~+/=-])(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{28,}/g;
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const isHost = (text: string) => /^(?:[a-z][\w-]*\.)+[a-z]{2,}(?:\/[\w./-]{0,60})?$/i.test(text);
/** What an earlier reading wrote in place of a value. */
const isPlaceholder = (text: string) => /^\[(?:removed|text|number|left out|\d{1,9} items?)\]$/.test(text);
const maxDepth = 4;
const mostFields = 60;
const longest = 1500;

const plain = (name: string) =>
	name
		.slice(0, 100)
		.toLowerCase()
		.replace(/[^a-z]/g, '');

/** Replaces what looks like a secret or an address in a free text, such as an error description. */
export function cleanText(given: string, labels: ForeignLabels): string {
	return labels
		.replaceIn(given.slice(0, longest))
		.replace(email, (value) => labels.show('email', value.replace('%40', '@'), 'E-mail'))
		.replace(phone, (value) => counted(labels, 'Telephone numbers and addresses', value))
		.replace(address, (value) => counted(labels, 'Telephone numbers and addresses', value))
		.replace(jwt, (value) => counted(labels, 'Tokens in texts', value))
		.replace(longToken, (value) =>
			uuid.test(value) || isHost(value) || scopeWords.test(value)
				? value
				: counted(labels, 'Long values in texts', value)
		);
}

function counted(labels: ForeignLabels, name: string, value: string): string {
	labels.count(name, value);
	return removed;
}

/** What is kept of a parameter or a field. @param isForm of a sign-in page: none of its values is kept */
function redactValue(name: string, value: string, labels: ForeignLabels, depth = 0, isForm = false): string {
	if (value === '' || isPlaceholder(value) || isLiteralNothing(value)) return value;
	const key = plain(name);
	const kind = kindsOfNames.get(key);
	if (kind !== undefined) return labels.show(kind, value, name.length <= 40 ? name : kind);
	const known = labels.find(value);
	if (known !== undefined) return known;
	if (secretName.test(key)) return counted(labels, 'Passwords and secrets', value);
	const isScope = key === 'scope' || key === 'scopes';
	if (/^https?:\/\//i.test(value) && !isScope)
		return urlNames.has(key) ? redactUrl(value, labels, depth + 1) : counted(labels, 'Other URLs', value);
	if (key === 'clientid' || key === 'codechallenge') return labels.replaceIn(value.slice(0, 300));
	if (openNames.has(key)) return cleanText(value, labels);
	const isWord = /^(?:[a-z][a-z_.:-]{0,39}|\d{1,4})$/.test(value);
	return isWord && !isForm ? value : counted(labels, 'Other parameters', value);
}

/** What is kept of a URL: origin, path and redacted parameters. */
export function redactUrl(text: string, labels: ForeignLabels, depth = 0): string {
	const url = splitUrl(text);
	// A relative URL, or one of an installed application.
	if (url === undefined) return redactRelative(text, labels, depth);
	if (depth > maxDepth) return `${url.origin}/`;
	const query = redactPairs(url.query, labels, depth);
	const fragment = redactPairs(url.fragment, labels, depth);
	// Issuers with and without a slash at their end are different.
	const hasPath = /^https?:\/\/[^/?#]+\//i.test(text);
	const path = hasPath ? redactPath(url.path, labels) : '';
	return `${url.origin}${path}${query === '' ? '' : `?${query}`}${fragment === '' ? '' : `#${fragment}`}`;
}

function redactRelative(text: string, labels: ForeignLabels, depth: number): string {
	const base = 'https://relative.invalid';
	const isPath = text.startsWith('/') && !text.startsWith('//');
	if (isPath && depth <= maxDepth) return redactUrl(base + text, labels, depth).slice(base.length);
	const [, scheme = '', rest = ''] = /^([a-z][a-z\d.+-]{1,60}):\/{0,3}(.*)$/i.exec(text) ?? [];
	if (scheme === '' || /^(?:javascript|data|vbscript|blob|file)$/i.test(scheme) || depth > maxDepth)
		return text === '' ? '' : counted(labels, 'Other URLs', text);
	return `${scheme}://${redactUrl(`${base}/${rest}`, labels, depth).slice(base.length + 1)}`;
}

/** What is kept of a path: long and random segments are removed. */
export function redactPath(path: string, labels: ForeignLabels): string {
	return path
		.slice(0, longest)
		.split('/')
		.map((part) => {
			// A recording of `tollgate watch` has percent-encoded labels.
			const segment = part.replace(/%5B([A-Za-z]+(?:%20[A-Za-z]+)*(?:%20\d+)?)%5D/gi, (whole) =>
				decodeURIComponent(whole)
			);
			const cleaned = cleanText(segment, labels);
			const isRandom = /^(?=.*\d)(?=.*[a-z])[\w.~=-]{16,}$/i.test(cleaned) && !uuid.test(cleaned);
			return isRandom ? counted(labels, 'Long values in paths', segment) : cleaned;
		})
		.join('/');
}

/** Parameters as a query or a form. */
export function redactPairs(pairs: readonly Pair[], labels: ForeignLabels, depth = 0, isForm = false): string {
	return pairs
		.slice(0, mostFields)
		.map(([name, value]) => {
			const shownName = cleanText(name.slice(0, 100), labels);
			return `${encodeWithLabels(shownName)}=${encodeWithLabels(redactValue(name, value, labels, depth, isForm))}`;
		})
		.join('&');
}

/** What a JSON document is: data of an API, of which only the form is kept, an error, or a token response. */
export type JsonKind = 'data' | 'error' | 'token';

/** A JSON value with what is kept of it. Objects inside a token response are data: they describe a user. */
export function redactJson(value: unknown, labels: ForeignLabels, kind: JsonKind, name = '', depth = 0): unknown {
	const key = plain(name);
	if (typeof value === 'string' && isPlaceholder(value)) return value;
	const isName = kind === 'error' && /^(?:code|errorcode|field|param|status)$/.test(key);
	if (typeof value === 'string' && isName && (errorName.test(value) || labels.find(value) === undefined))
		return errorName.test(value) ? value : counted(labels, 'Other parameters', value);
	if (typeof value === 'string')
		return kind === 'data' && !kindsOfNames.has(key) ? '[text]' : redactString(name, value, labels);
	if (typeof value === 'number') return kind !== 'data' && (openNames.has(key) || isName) ? value : '[number]';
	if (typeof value === 'boolean' || value === null) return value;
	if (Array.isArray(value)) {
		const items: readonly unknown[] = value;
		const isList = openNames.has(key) || key === 'errors' || key === 'errorcauses' || depth === 0;
		if (kind === 'data' || !isList || depth > maxDepth)
			return `[${items.length} ${items.length === 1 ? 'item' : 'items'}]`;
		return items.slice(0, 20).map((item) => redactJson(item, labels, kind, name, depth + 1));
	}
	if (!isObject(value) || depth > maxDepth) return removed;
	const names = Object.keys(value).slice(0, mostFields);
	const inner = kind === 'token' && depth > 0 ? 'data' : kind;
	return Object.fromEntries(
		names.map((one) => [
			cleanText(one.slice(0, 100), labels),
			redactJson(fieldOf(value, one), labels, inner, one, depth + 1)
		])
	);
}

function redactString(name: string, value: string, labels: ForeignLabels): string {
	const shown = redactValue(name, value, labels, 0, true);
	return shown === removed && !secretName.test(plain(name)) ? '[text]' : shown;
}
