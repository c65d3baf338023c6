import { claimsOf, decodeBase64 } from './jwt-claims.ts';
import type { ForeignLabels } from './foreign-labels.ts';
import type { ForeignClaims } from './har-reading.ts';
import { parseObject, textOf } from './json-fields.ts';
import { responseFields } from './page-error.ts';
import { formOf, splitUrl, type Pair, type RawExchange } from './raw-exchange.ts';
import { isLiteralNothing, kindsOfNames } from './redact-values.ts';
import { describeState } from '#api/state-form.ts';
import { hasToken } from './roles.ts';

const longestSearched = 100_000;

/** Names all secrets of an exchange, before any text of the file is kept. Returns the claims of its JWTs, by label. */
export function collectValues(raw: RawExchange, labels: ForeignLabels, claims: Map<string, ForeignClaims>): void {
	const add = (pairs: readonly Pair[]) => {
		for (const [name, value] of pairs) {
			const kind = kindsOfNames.get(name.toLowerCase().replace(/[^a-z]/g, ''));
			if (kind === undefined || value === '' || value.length > 16_384 || isLiteralNothing(value)) continue;
			const shown = labels.name(kind, value);
			if (kind === 'state' && raw.query.some(([, sent]) => sent === value))
				labels.describe(value, describeState(value, decodeBase64));
			const found = claimsOf(value);
			if (found !== undefined) claims.set(shown.slice(1, -1), found);
		}
	};
	add(raw.query);
	add(raw.fragment);
	add(raw.form);
	const target = splitUrl(raw.location) ?? splitUrl(raw.origin + raw.location);
	if (target !== undefined) add([...target.query, ...target.fragment]);
	const body = raw.responseBody.slice(0, longestSearched);
	const object = parseObject(raw.responseBody.length <= longestSearched ? raw.responseBody : '');
	// In an error, `code` names the error.
	const isCode = (name: string) => raw.status >= 400 && name === 'code';
	if (object !== undefined)
		add(Object.keys(object).flatMap((name) => (isCode(name) ? [] : [[name, textOf(object, name)]])));
	else if (/^(?:access_token|token)=/.test(body)) add(formOf(body, 'application/x-www-form-urlencoded'));
	else if (raw.responseType === 'text/html') add(responseFields(body));
	if (hasToken(raw))
		for (const [name, value] of raw.requestHeaders) {
			const [, token = ''] = /^(?:bearer|dpop|token) +(\S.*)$/i.exec(value) ?? [];
			if (name.toLowerCase() === 'authorization' && token !== '') add([['access_token', token.trim()]]);
		}
}
