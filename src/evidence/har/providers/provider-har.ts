import type { DialectPart, ErrorCase, Template } from '#api/providers/dialect-schema.ts';
import type { ProviderFile, Source } from '#api/providers/provider-file.ts';

/** The public source of a fact. */
export type FactSource = Pick<Source, 'title' | 'url' | 'read' | 'kind'>;

/** What the file of a provider says of a recording of its traffic, `?har`. */
export type ProviderHar = {
	readonly owner: string;
	/** As the file writes them: `{tenant}` is any part. */
	readonly hosts: readonly string[];
	/** Errors with names of their own, each with the id of its cause and the error of RFC 6749 in its place. */
	readonly errors: readonly {
		readonly name: string;
		readonly cause: string;
		readonly standard: string;
		readonly source: FactSource;
	}[];
	/** What a finding shows that the file documents. */
	readonly forms: readonly { readonly finding: string; readonly of: string; readonly source: FactSource }[];
};

/** The fact that a finding shows, what it is a form of, and whether a dialect has it. */
type Form = {
	readonly finding: string;
	readonly of: string;
	readonly fact: string;
	readonly has: (dialect: DialectPart) => boolean;
};

const fieldsOf = (template: Template | undefined): Readonly<Record<string, unknown>> =>
	typeof template === 'object' && template !== null && !Array.isArray(template) ? { ...template } : {};
const tokenFields = ({ tokenResponse }: DialectPart) => fieldsOf(tokenResponse?.body);

const forms: readonly Form[] = [
	{
		finding: 'dialect.comma_scopes',
		of: 'a list of scopes',
		fact: 'scopes.separator',
		has: ({ scopes }) => scopes?.separator === ','
	},
	{
		finding: 'dialect.no_expiry',
		of: 'a token response',
		fact: 'tokenResponse.body',
		has: (dialect) => 'access_token' in tokenFields(dialect) && !('expires_in' in tokenFields(dialect))
	},
	{
		finding: 'dialect.form_response',
		of: 'a token response',
		fact: 'tokenResponse.form',
		has: ({ tokenResponse }) => tokenResponse?.form !== undefined
	},
	{
		finding: 'dialect.token_type',
		of: 'a token response',
		fact: 'tokenResponse.body',
		has: (dialect) =>
			'access_token' in tokenFields(dialect) && !/^bearer$/i.test(String(tokenFields(dialect).token_type))
	},
	{
		finding: 'dialect.ok_field',
		of: 'a response',
		fact: 'tokenResponse.body',
		has: (dialect) => 'ok' in tokenFields(dialect)
	},
	{
		finding: 'dialect.error_with_200',
		of: 'an error',
		fact: 'errors.token.status',
		has: ({ errors }) => errors?.token?.status === 200
	},
	{
		finding: 'dialect.no_response_type',
		of: 'an authorization request',
		fact: 'request.authorize.defaults',
		has: ({ request }) => request?.authorize?.defaults?.response_type !== undefined
	},
	{
		finding: 'dialect.no_grant_type',
		of: 'a token request',
		fact: 'request.token.defaults',
		has: ({ request }) => request?.token?.defaults?.grant_type !== undefined
	},
	{
		finding: 'dialect.json_token_request',
		of: 'a token request',
		fact: 'request.token.json',
		has: ({ request }) => request?.token?.json === true
	},
	{ finding: 'dialect.no_iss', of: 'a callback', fact: 'iss', has: ({ iss }) => iss === false },
	{
		finding: 'dialect.rate_limit',
		of: 'a rate limit',
		fact: 'rateLimit.headers',
		has: ({ rateLimit }) => rateLimit?.headers !== undefined
	}
];

/** What the first check of a case leads to: the cause of a recording, and the error of RFC 6749. */
const checked: readonly (readonly [check: RegExp, cause: string, standard: string])[] = [
	[/^token\.client_authenticated/, 'cause.client', 'invalid_client'],
	[/^token\.redirect_uri_/, 'cause.redirect_uri', 'invalid_grant'],
	[/^token\.(?:code|refresh_token|grant)_(?!verifier|type)/, 'cause.grant', 'invalid_grant'],
	[/^token\.scope_/, 'cause.scope', 'invalid_scope'],
	[/^token\.grant_type_/, 'cause.grant_type', 'unsupported_grant_type'],
	[/^access_token\./, 'cause.token_rejected', 'invalid_token']
];

/** Names that mean what RFC 6749 and RFC 6750 say. */
const standardNames =
	/^(?:invalid_(?:request|client|grant|scope|token)|unauthorized_client|unsupported_grant_type|access_denied)$/;

/** What the file of a provider says of a recording. */
export function harOf({ short, owner = short, dialect, sources }: ProviderFile): ProviderHar {
	const { endpoints = [], errors: { token, api } = {} } = dialect;
	const hosts = endpoints.map(({ url }) => url.replace(/^https:\/\/|\/.*$/g, ''));
	const named = [
		...(token?.cases ?? []).map((one) => ({ one, body: token?.body, fact: 'errors.token.cases' })),
		...(api?.cases ?? []).map((one) => ({ one, body: api?.body, fact: 'errors.api.cases' }))
	];
	return {
		owner,
		hosts: [...new Set(hosts)],
		errors: named.flatMap(({ one, body, fact }) => {
			const [, cause, standard] = checked.find(([check]) => check.test(one.checks[0] ?? '')) ?? [];
			const [name, source] = [nameOf(one, body), sourceOf(sources, fact)];
			if (cause === undefined || standard === undefined || name === undefined || source === undefined) return [];
			return { name, cause, standard, source };
		}),
		forms: forms.flatMap(({ finding, of, fact, has }) => {
			const source = has(dialect) ? sourceOf(sources, fact) : undefined;
			return source === undefined ? [] : { finding, of, source };
		})
	};
}

/** The name that only this provider has: a number in the description (`AADSTS70011`), or the error. */
function nameOf({ error, values = {} }: ErrorCase, body: Template | undefined): string | undefined {
	const { error_description: text } = fieldsOf(body);
	const { number: given } = values;
	const filled = typeof text === 'string' && typeof given === 'number' ? text.replace('{number}', `${given}`) : '';
	const [number] = /^[A-Z]{3,}\d+/.exec(filled) ?? [];
	return number ?? (error === undefined || standardNames.test(error) ? undefined : error);
}

/** The source of a fact, or of what it is part of: a documented one where there is one. */
function sourceOf(sources: readonly Source[], fact: string): FactSource | undefined {
	const about = sources.filter(({ facts }) => facts.some((one) => one === fact || fact.startsWith(`${one}.`)));
	const found = about.find(({ kind }) => kind === 'documented') ?? about[0];
	return found && { title: found.title, url: found.url, read: found.read, kind: found.kind };
}
