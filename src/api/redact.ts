import { memoize } from '#lib/memoize.ts';
import { decodePercent } from '#lib/percent.ts';

// The log of the service and that of the client redact alike, so that a message can be found in both.

/** Replaces a value that is never shown. */
export const hidden = '••••';

/** The ends of names, in lower case letters only: of values that are never shown, and of values that are shown by their first characters. */
const passwordName = /(?:pass|passwd|password|passphrase|pwd|secret|key)$/;
const tokenName = /(?:token|code|interaction|codeverifier|state)$/;

const secretHeader = /authorization|cookie|token|secret|pass|credential|(?:^|[_-])(?:auth|key|code)$/;
/**
 * A value as long as a token of the service, 256 bits in base64url. It is redacted wherever a client puts it by mistake. A match
 * begins only where a word does, so that each word is read once.
 */
const issued = /(?<![\w-])[\w-]{43,}/g;
/** Without one of these characters, no value is beside a name or encoded. */
const separator = /[:=>\n%\\&]/;
/** Without one of these, no text with a separator contains a secret beside its name, in a URL, or encoded. */
const nameOrEncoding = /token|secret|code|pass|pwd|key|interaction|[@%\\&]/i;
/** Shorter secrets are ordinary text. */
const shortestSecret = 4;
/** Characters of the private use area that the traffic log writes in place of values. No message may contain others. */
export const reserved = /[\uF8D0-\uF8F7]/g;
/** A text with none of this, and no token, is shown as it is, unless it contains a known secret. */
const suspect = /[?&=:>\n%\\@\uF8D0-\uF8F7]/;
/** How often text is decoded to find secrets in it: clients encode a URL that is a parameter of another one twice. */
const maxDecodings = 3;

const secretNames = '(?:access|refresh|csrf)[_-]?token|client[_-]?secret|code[_-]?verifier|pass(?:word|wd|phrase)?|pwd';
// All repetitions that could overlap have a limit, so that the time grows only with the length of the text.
const betweenNameAndValue = [
	String.raw`["']?\s{0,200}[:=>]{1,2}\s{0,200}(?:\[\s{0,200})?["']?`,
	// <client_secret type="text">
	String.raw`\s[^<>\r\n]{1,200}>\s{0,200}`,
	// "client_secret","value":"…" and name="client_secret" value="…"
	String.raw`["'][\s,]{0,20}["']?value["']?\s{0,200}[:=]\s{0,200}["']?`,
	// a part of a multipart body
	String.raw`"?(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n`
];
/** A value ends where its notation says so: passwords contain quotes and ampersands. */
const valueForms = [
	String.raw`(?<=")(?:\\[^]|[^"\\])+`,
	String.raw`(?<=')(?:\\[^]|[^'\\])+`,
	String.raw`(?<=CDATA\[)(?:(?!\]\]>)[^])+`,
	String.raw`(?<=[^=]>\s{0,200})[^<]+`,
	String.raw`(?<=\n\r?\n)(?:(?!\r?\n--)[^])+`,
	// YAML and headers
	String.raw`(?<=:\s{0,200})[^"<\r\n]+`,
	String.raw`(?:[^"'<&\r\n]|'(?=[^\s,;)}\]]))+`
];
/** A secret name, what separates it from its value, and the value: in JSON, XML, multipart and plain text. */
const namedSecret = new RegExp(
	String.raw`(${secretNames}|secret|token|code|key|interaction)((?:${betweenNameAndValue.join('|')})(?:<!\[CDATA\[)?)(${valueForms.join('|')})`,
	'gi'
);
/** The password in `https://user:password@host`. */
const urlPassword = /(:\/\/[^\s/:@]{0,200}:)([^\s/@]{1,200})(?=@)/g;

/** How the secrets of a message are found and what is shown in their place. */
export type Redaction = {
	/** Secrets that are not recognized by their name or length. */
	readonly secrets: readonly string[];
	/**
	 * What is shown in place of a secret.
	 * @param value as sent
	 * @param name of the parameter or field; empty if unknown
	 * @param preview what is shown by default
	 */
	readonly show: (value: string, name: string, preview: string) => string;
};

/** Shows the first characters of long secrets. */
export const byPreview: Redaction = { secrets: [], show: (_value, _name, preview) => preview };

/** The first 6 characters of a long value: enough to follow a token through a log, too few to use it. */
export function redactToken(value: string): string {
	return value.length > 20 ? `${value.slice(0, 6)}…` : hidden;
}

/** Redacts each known secret wherever it appears in a text, and whatever is as long as a token. */
export function redactSecrets(text: string, redaction = byPreview): string {
	let masked = text;
	for (const secret of redaction.secrets)
		if (secret.length >= shortestSecret && masked.includes(secret))
			masked = masked.replaceAll(secret, () => shown(redaction, secret, ''));
	return masked.length < 43 ? masked : masked.replace(issued, (value) => shown(redaction, value, ''));
}

function shown(redaction: Redaction, value: string, name: string): string {
	const preview = parameterKind(name) === 'password' ? hidden : redactToken(value);
	return redaction.show(value, name, preview);
}

/** Whether a text is certainly shown as it is, as a text and as a target. Most texts of a trace are like that. */
export function isOpenText(text: string, { secrets }: Redaction): boolean {
	if (suspect.test(text) || (text.length >= 43 && text.search(issued) >= 0)) return false;
	for (const secret of secrets) if (text.includes(secret)) return false;
	return true;
}

/** Whether a text certainly contains no secret. Most texts are like that, and this test is fast. */
function isPlain(text: string, { secrets }: Redaction): boolean {
	if (text.length >= 43 && text.search(issued) >= 0) return false;
	for (const secret of secrets) if (text.includes(secret)) return false;
	return !separator.test(text) || !nameOrEncoding.test(text);
}

/**
 * Redacts secrets in JSON, XML, multipart or plain text, and the value beside each secret name. Encoded text that contains a secret
 * is shown decoded. Everything else stays as sent.
 */
export function redactText(text: string, redaction = byPreview, decodings = maxDecodings): string {
	if (isPlain(text, redaction)) return text;
	const named = text
		.replace(
			namedSecret,
			(_, name: string, separator: string, value: string) => `${name}${separator}${shown(redaction, value, name)}`
		)
		.replace(urlPassword, (_, before: string, value: string) => before + shown(redaction, value, 'password'));
	const masked = redactSecrets(named, redaction);
	const decoded = decodings === 0 ? masked : decode(masked);
	if (decoded === masked) return masked;
	const redacted = redactText(decoded, redaction, decodings - 1);
	return redacted === decoded ? masked : redacted;
}

/** Redacts secrets in a query or a form body. */
export function redactPairs(text: string, redaction = byPreview): string {
	if (text === '') return text;
	return text
		.split('&')
		.map((pair) => redactPair(pair, redaction))
		.join('&');
}

function redactPair(pair: string, redaction: Redaction): string {
	const equals = pair.indexOf('=');
	if (equals < 0) return redactText(pair, redaction);
	const [sent, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
	const kind = parameterKind(sent);
	if (kind === 'open') return pair;
	if (kind !== 'other') return `${sent}=${shown(redaction, value, sent)}`;
	// With a wrong separator the next parameter is part of this value.
	return `${redactText(sent, redaction)}=${redactText(value, redaction)}`;
}

/** The letters of a name as it was sent, in lower case: `code_verifier` and `codeVerifier` are `codeverifier`. */
export const plainName = memoize((sent) => (decodePercent(sent, true) ?? sent).toLowerCase().replace(/[^a-z]/g, ''));

const parameterKind = memoize((sent) => {
	const name = plainName(sent);
	// A value that looks like a token and is no secret.
	if (name === 'codechallenge') return 'open';
	if (passwordName.test(name)) return 'password';
	return tokenName.test(name) ? 'token' : 'other';
});

const headerKind = memoize((sent) => {
	const name = sent.toLowerCase();
	if (!secretHeader.test(name)) return 'other';
	return name === 'authorization' || name === 'set-cookie' ? name : 'secret';
});

/** A text without reserved characters. */
export function withoutReserved(text: string): string {
	return text.replace(reserved, '\uFFFD');
}

/** Decodes percent-encoding, and the valid escapes of JSON and XML. */
function decode(text: string): string {
	if (!/[%\\]|&#/.test(text)) return text;
	return text
		.replace(/(?:%[0-9a-f]{2})+/gi, (run) => withoutReserved(decodePercent(run, false) ?? run))
		.replace(/\\u([0-9a-f]{4})|&#x([0-9a-f]{1,4});/gi, (_, json: string | undefined, xml: string | undefined) =>
			withoutReserved(String.fromCharCode(parseInt(json ?? xml ?? '', 16)))
		)
		.replace(/\\(["\\/])/g, '$1')
		.replace(/&#(\d{1,5});/g, (_, decimal: string) => withoutReserved(String.fromCharCode(Number(decimal))));
}

/** Redacts secrets in a target or URL. */
export function redactTarget(target: string, redaction = byPreview): string {
	const mark = target.indexOf('?');
	if (mark < 0) return redactText(target, redaction);
	return `${redactText(target.slice(0, mark), redaction)}?${redactPairs(target.slice(mark + 1), redaction)}`;
}

/** Redacts credentials in flat headers. Returns the same list if there are none. */
export function redactHeaders(headers: readonly string[], redaction = byPreview): readonly string[] {
	let masked: string[] | undefined;
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const [name = '', value = ''] = [headers[at], headers[at + 1]];
		const [shownName, shownValue] = [redactSecrets(name, redaction), redactHeader(name, value, redaction)];
		if (shownName === name && shownValue === value) continue;
		masked ??= [...headers];
		masked.splice(at, 2, shownName, shownValue);
	}
	return masked ?? headers;
}

function redactHeader(name: string, value: string, redaction: Redaction): string {
	const kind = headerKind(name);
	if (kind === 'other') return value.length < 4 ? value : redactTarget(value, redaction);
	if (kind === 'authorization') {
		const [, scheme, rest = ''] = /^([a-z]{1,12}) +(.*)$/is.exec(value) ?? [];
		if (scheme === undefined || /^basic$/i.test(scheme)) return hidden;
		return `${scheme} ${shown(redaction, rest.trim(), 'access_token')}`;
	}
	const parameter = name.replace(/^x-/i, '');
	if (plainName(parameter) === 'clientsecret') return shown(redaction, value, parameter);
	const [, cookie, attributes = ''] = (kind === 'set-cookie' && /^([^=;]+)=[^;]*(.*)$/s.exec(value)) || [];
	return cookie === undefined ? hidden : `${cookie}=${hidden}${attributes}`;
}
