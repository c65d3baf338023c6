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
	maxage acrvalues uilocales error errordescription erroruri errorreason errorsubcode errorcodes errormessage iss issuer aud audience
	resource accesstype includegrantedscopes expiresin expires expireson extexpiresin refreshexpiresin refreshtokenexpiresin tokentype
	display tokentypehint postlogoutredirecturi logouturi returnto clientassertiontype subjecttokentype requestedtokentype interval
	verificationuri verificationurl verificationuricomplete approvalprompt apiversion page perpage limit offset active ok warning needed
	provided message statuscode status title detail type instanceurl exp iat nbf authtime acr amr ver authorizationdetails`.split(
		/\s+/
	)
);

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
		.replace(jwt, (value) => counted(labels, 'Tokens in texts', value))
		.replace(longToken, (value) =>
			uuid.test(value) || isHost(value) ? value : counted(labels, 'Long values in texts', value)
		);
}

function counted(labels: ForeignLabels, name: string, value: string): string {
	labels.count(name, value);
	return removed;
}

/** What is kept of a parameter or a field. @param isForm of a sign-in page: none of its values is kept */
export function redactValue(name: string, value: string, labels: ForeignLabels, depth = 0, isForm = false): string {
	if (value === '' || isPlaceholder(value)) return value;
	const key = plain(name);
	const kind = kindsOfNames.get(key);
	if (kind !== undefined) return labels.show(kind, value, name.length <= 40 ? name : kind);
	const known = labels.find(value);
	if (known !== undefined) return known;
	if (secretName.test(key)) return counted(labels, 'Passwords and secrets', value);
	if (/^https?:\/\//i.test(value)) return redactUrl(value, labels, depth + 1);
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
		.map((segment) => {
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

/** A JSON value with what is kept of it. @param isData a successful response of an API: only its form is kept */
export function redactJson(value: unknown, labels: ForeignLabels, isData = false, name = '', depth = 0): unknown {
	if (typeof value === 'string' && isPlaceholder(value)) return value;
	if (typeof value === 'string')
		return isData && !kindsOfNames.has(plain(name)) ? '[text]' : redactString(name, value, labels);
	if (typeof value === 'number') return !isData && openNames.has(plain(name)) ? value : '[number]';
	if (typeof value === 'boolean' || value === null) return value;
	if (Array.isArray(value)) {
		const items: readonly unknown[] = value;
		const isList = openNames.has(plain(name)) || name === 'errors';
		if (isData || !isList || depth > maxDepth) return `[${items.length} ${items.length === 1 ? 'item' : 'items'}]`;
		return items.slice(0, 20).map((item) => redactJson(item, labels, isData, name, depth + 1));
	}
	if (!isObject(value) || depth > maxDepth) return removed;
	const names = Object.keys(value).slice(0, mostFields);
	return Object.fromEntries(
		names.map((key) => [
			cleanText(key.slice(0, 100), labels),
			redactJson(fieldOf(value, key), labels, isData, key, depth + 1)
		])
	);
}

function redactString(name: string, value: string, labels: ForeignLabels): string {
	const shown = redactValue(name, value, labels, 0, true);
	return shown === removed && !secretName.test(plain(name)) ? '[text]' : shown;
}
