import { decodePercent } from './percent.ts';

// The log of the service and that of the client redact alike, so that a message can be found in both.

/** Replaces a value that is never shown. */
const hidden = '••••';

/** The ends of names, in lower case letters only: of values that are never shown, and of values that are shown by their first characters. */
const passwordName = /(?:pass|passwd|password|passphrase|pwd|secret|key)$/;
const tokenName = /(?:token|code|interaction|codeverifier|state)$/;

const names = '(?:access|refresh|csrf)[_-]?token|client[_-]?secret|code[_-]?verifier|pass(?:word|wd|phrase)?|pwd';
const separators = [
	String.raw`["']?\s*[:=>]\s*["']?`,
	// <client_secret type="text">
	String.raw`\s[^<>\r\n]{1,200}>\s*`,
	// "client_secret","value":"…" and name="client_secret" value="…"
	String.raw`["'][\s,]*["']?value["']?\s*[:=]\s*["']?`,
	// a part of a multipart body
	String.raw`"?(?:\r?\n[^\r\n]+)*\r?\n\r?\n`
];
const besideName = new RegExp(
	String.raw`((?:${names}|secret|token|code|key|interaction)(?:${separators.join('|')})(?:<!\[CDATA\[)?)((?:\\.|[^"'<&\]\r\n\\])+)`,
	'gi'
);

const secretHeader = /authorization|cookie|token|secret|pass|credential|(?:^|[_-])(?:auth|key|code)$/;
/** A value as long as a token of the service, 256 bits in base64url. It is redacted wherever a client puts it by mistake. */
const issued = /[\w-]{43,}/g;
/** Shorter secrets are ordinary text. */
const shortestSecret = 4;
/** How often text is decoded to find secrets in it: clients encode a URL that is a parameter of another one twice. */
const maxDecodings = 3;

/** The first 6 characters of a long value: enough to follow a token through a log, too few to use it. */
export function redactToken(value: string): string {
	return value.length > 20 ? `${value.slice(0, 6)}…` : hidden;
}

/** Redacts each of these secrets wherever it appears in a text, and whatever is as long as a token. */
export function redactSecrets(text: string, secrets: readonly string[] = []): string {
	let masked = text;
	for (const secret of secrets)
		if (secret.length >= shortestSecret) masked = masked.replaceAll(secret, redactToken(secret));
	return masked.length < 43 ? masked : masked.replace(issued, redactToken);
}

/**
 * Redacts secrets in JSON, XML, multipart or plain text, and the value beside each secret name. Encoded text that contains a secret
 * is shown decoded. Everything else stays as sent.
 */
export function redactText(text: string, secrets: readonly string[] = [], decodings = maxDecodings): string {
	// Most texts are short, have no separator and contain no secret, and this test is fast.
	if (text.length < 43 && !/[:=>\n%\\&]/.test(text) && !secrets.some((secret) => text.includes(secret))) return text;
	const shown = redactSecrets(text.replace(besideName, redactNamed), secrets);
	const decoded = decodings === 0 ? shown : decode(shown);
	if (decoded === shown) return shown;
	const redacted = redactText(decoded, secrets, decodings - 1);
	return redacted === decoded ? shown : redacted;
}

function redactNamed(_: string, before: string, value: string): string {
	return `${before}${redactToken(value)}`;
}

/** Redacts secrets in a query or a form body. */
export function redactPairs(text: string, secrets: readonly string[] = []): string {
	if (text === '') return text;
	return text
		.split('&')
		.map((pair) => redactPair(pair, secrets))
		.join('&');
}

function redactPair(pair: string, secrets: readonly string[]): string {
	const equals = pair.indexOf('=');
	if (equals < 0) return redactText(pair, secrets);
	const [sent, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
	const kind = parameterKind(sent);
	if (kind === 'open') return pair;
	if (kind === 'password') return `${sent}=${hidden}`;
	if (kind === 'token') return `${sent}=${redactToken(value)}`;
	// With a wrong separator the next parameter is part of this value.
	return `${redactText(sent, secrets)}=${redactText(value, secrets)}`;
}

const parameterKind = memoize((sent) => {
	const name = (decodePercent(sent, true) ?? sent).toLowerCase().replace(/[^a-z]/g, '');
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

/** Caches the results for the few names that every request has. */
function memoize<T>(kindOf: (name: string) => T): (name: string) => T {
	const known = new Map<string, T>();
	return (name) => {
		const kind = known.get(name) ?? kindOf(name);
		if (known.size < 200 && name.length < 40) known.set(name, kind);
		return kind;
	};
}

/** Decodes percent-encoding, and the escapes of JSON and XML, as far as they are valid. */
function decode(text: string): string {
	if (!/[%\\]|&#/.test(text)) return text;
	return text
		.replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodePercent(run, false) ?? run)
		.replace(/\\u([0-9a-f]{4})|&#x([0-9a-f]{1,4});/gi, (_, json: string | undefined, xml: string | undefined) =>
			String.fromCharCode(parseInt(json ?? xml ?? '', 16))
		)
		.replace(/\\(["\\/])/g, '$1')
		.replace(/&#(\d{1,5});/g, (_, decimal: string) => String.fromCharCode(Number(decimal)));
}

/** Redacts secrets in a target or URL. */
export function redactTarget(target: string, secrets: readonly string[] = []): string {
	const mark = target.indexOf('?');
	if (mark < 0) return redactText(target, secrets);
	return `${redactText(target.slice(0, mark), secrets)}?${redactPairs(target.slice(mark + 1), secrets)}`;
}

/** Redacts credentials in flat headers. Returns the same list where there are none. */
export function redactHeaders(headers: readonly string[], secrets: readonly string[] = []): readonly string[] {
	let masked: string[] | undefined;
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const [name = '', value = ''] = [headers[at], headers[at + 1]];
		const [shownName, shownValue] = [redactSecrets(name, secrets), redactHeader(name, value, secrets)];
		if (shownName === name && shownValue === value) continue;
		masked ??= [...headers];
		masked.splice(at, 2, shownName, shownValue);
	}
	return masked ?? headers;
}

function redactHeader(name: string, value: string, secrets: readonly string[]): string {
	const kind = headerKind(name);
	if (kind === 'other') return value.length < 4 ? value : redactTarget(value, secrets);
	if (kind === 'authorization') {
		const [, scheme, rest = ''] = /^([a-z]{1,12}) +(.*)$/is.exec(value) ?? [];
		return scheme === undefined || /^basic$/i.test(scheme) ? hidden : `${scheme} ${redactToken(rest.trim())}`;
	}
	const [, cookie, attributes = ''] = (kind === 'set-cookie' && /^([^=;]+)=[^;]*(.*)$/s.exec(value)) || [];
	return cookie === undefined ? hidden : `${cookie}=${hidden}${attributes}`;
}
