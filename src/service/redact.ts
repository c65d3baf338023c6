import { decodePercent } from './encoding.ts';

/** What stands in place of a value that nobody else may have. */
const hidden = '••••';

/** Parameters whose value is shown by its first characters only, enough to tell two apart; letters only. */
const tokens = new Set(['accesstoken', 'refreshtoken', 'code', 'token', 'interaction', 'codeverifier', 'csrftoken']);
/** Parameters whose value is never shown; letters only. */
const passwords = new Set(['password', 'clientsecret', 'secret', 'key']);
/** Parameters whose value is no secret, however it looks. */
const open = new Set(['state', 'codechallenge']);
const sensitive = /access_token|refresh_token|code|token|secret|password|interaction|key|%/i;

const names = 'access_token|refresh_token|client_secret|code_verifier|password|token|code|key|interaction';
const separators = String.raw`["']?\s*[:=>]\s*["']?|"?(?:\r?\n[^\r\n]+)*\r?\n\r?\n`;
const besideName = new RegExp(String.raw`((?:${names})(?:${separators}))((?:\\.|[^"'<&\r\n\\])+)`, 'gi');

const secretHeader = /authorization|cookie|token|secret|passw|(?:^|[_-])key$/;
/** As long as what the service issues: 256 bits in base64url. Wherever a client puts one by mistake, it is masked. */
const issued = /[\w-]{43,}/g;

/** A token by its first characters: 36 of its 256 bits, enough to follow it through a log and too few to use it. */
function redactToken(value: string): string {
	return value.length > 20 ? `${value.slice(0, 6)}…` : hidden;
}

/** A query or form body with the values of secret parameters masked; everything else stays as it was sent. */
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
	// A client that joins its parameters by another sign puts the next one into this value.
	return `${redactIssued(sent)}=${redactIssued(/[=:]/.test(value) ? redactNamed(value) : value)}`;
}

const parameterKind = memoize((sent) => {
	const name = (decodePercent(sent, true) ?? sent).toLowerCase().replace(/[^a-z]/g, '');
	if (open.has(name)) return 'open';
	if (passwords.has(name)) return 'password';
	return tokens.has(name) ? 'token' : 'other';
});

const headerKind = memoize((sent) => {
	const name = sent.toLowerCase();
	if (!secretHeader.test(name)) return 'other';
	return name === 'authorization' || name === 'set-cookie' ? name : 'secret';
});

/** The same function, which remembers its answers for the names that come again and again: they are few. */
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

/** A body that is no form, with the value beside each secret name masked: as JSON, XML, multipart or plain text has it. */
export function redactNamed(text: string): string {
	return redactIssued(text.replace(besideName, (_, before: string, value: string) => `${before}${redactToken(value)}`));
}

/** A request target with the secret parts of its query masked. */
export function redactTarget(target: string): string {
	const mark = target.indexOf('?');
	if (mark < 0) return redactIssued(target);
	return `${redactIssued(target.slice(0, mark))}?${redactPairs(target.slice(mark + 1))}`;
}

/** Flat headers with the credentials in them masked; the same list where there is nothing to mask. */
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

/** A text with each of these secrets masked wherever it stands. */
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
