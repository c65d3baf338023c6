import { decodePercent } from './percent.ts';

// The log of the service and that of the client redact alike, so that a message can be found in both.

/** Replaces a value that is never shown. */
const hidden = '••••';

/** Parameters whose value is shown by its first characters, enough to tell two apart. Names in letters only. */
const tokens = new Set([
	...['accesstoken', 'refreshtoken', 'code', 'token', 'interaction', 'codeverifier', 'csrftoken', 'state']
]);
/** Parameters whose value is never shown. Names in letters only. */
const passwords = new Set(['password', 'clientsecret', 'secret', 'key']);
/** A parameter whose value looks like a token and is no secret. */
const challenge = 'codechallenge';
const sensitive = /access_token|refresh_token|code|token|secret|password|interaction|key|state|%/i;

const names = 'access_token|refresh_token|client_secret|code_verifier|password|token|code|key|interaction';
const separators = String.raw`["']?\s*[:=>]\s*["']?|"?(?:\r?\n[^\r\n]+)*\r?\n\r?\n`;
const besideName = new RegExp(String.raw`((?:${names})(?:${separators}))((?:\\.|[^"'<&\r\n\\])+)`, 'gi');

const secretHeader = /authorization|cookie|token|secret|passw|(?:^|[_-])key$/;
/** A value as long as a token of the service, 256 bits in base64url. It is redacted wherever a client puts it by mistake. */
const issued = /[\w-]{43,}/g;

/** The first 6 characters of a long value: enough to follow a token through a log, too few to use it. */
export function redactToken(value: string): string {
	return value.length > 20 ? `${value.slice(0, 6)}…` : hidden;
}

/** Redacts the secret parameters of a query or a form body. Everything else stays as sent. */
export function redactPairs(text: string): string {
	if (text.length < 43 && !sensitive.test(text)) return text;
	return text.split('&').map(redactPair).join('&');
}

function redactPair(pair: string): string {
	const equals = pair.indexOf('=');
	if (equals < 0) return redactIssued(pair);
	const [sent, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
	const kind = parameterKind(sent);
	if (kind === 'open') return pair;
	if (kind === 'password') return `${sent}=${hidden}`;
	if (kind === 'token') return `${sent}=${redactToken(value)}`;
	// With a wrong separator the next parameter is part of this value.
	return `${redactIssued(sent)}=${redactIssued(/[=:]/.test(value) ? redactNamed(value) : value)}`;
}

const parameterKind = memoize((sent) => {
	const name = (decodePercent(sent, true) ?? sent).toLowerCase().replace(/[^a-z]/g, '');
	if (name === challenge) return 'open';
	if (passwords.has(name)) return 'password';
	return tokens.has(name) ? 'token' : 'other';
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

function redactIssued(text: string): string {
	return text.length < 43 ? text : text.replace(issued, redactToken);
}

/** Redacts the value beside each secret name in JSON, XML, multipart or plain text. */
export function redactNamed(text: string): string {
	return redactIssued(text.replace(besideName, (_, before: string, value: string) => `${before}${redactToken(value)}`));
}

/** Redacts the secret parameters in the query of a target or URL. */
export function redactTarget(target: string): string {
	const mark = target.indexOf('?');
	if (mark < 0) return redactIssued(target);
	return `${redactIssued(target.slice(0, mark))}?${redactPairs(target.slice(mark + 1))}`;
}

/** Redacts the credentials in flat headers. Returns the same list where there are none. */
export function redactHeaders(headers: readonly string[]): readonly string[] {
	let masked: string[] | undefined;
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const value = headers[at + 1] ?? '';
		const shown = redactHeader(headers[at] ?? '', value);
		if (shown === value) continue;
		masked ??= [...headers];
		masked[at + 1] = shown;
	}
	return masked ?? headers;
}

/** Redacts each of these secrets wherever it appears in a text. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
	let masked = text;
	for (const secret of secrets) if (secret !== '') masked = masked.replaceAll(secret, redactToken(secret));
	return masked;
}

function redactHeader(name: string, value: string): string {
	const kind = headerKind(name);
	if (kind === 'other') return value.length < 4 ? value : redactTarget(value);
	if (kind === 'authorization') {
		const [, scheme, rest = ''] = /^([a-z]{1,12}) +(.*)$/is.exec(value) ?? [];
		return scheme === undefined || /^basic$/i.test(scheme) ? hidden : `${scheme} ${redactToken(rest.trim())}`;
	}
	const [, cookie, attributes = ''] = (kind === 'set-cookie' && /^([^=;]+)=[^;]*(.*)$/s.exec(value)) || [];
	return cookie === undefined ? hidden : `${cookie}=${hidden}${attributes}`;
}
