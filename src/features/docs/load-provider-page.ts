import {
	isProvider,
	loadProviderFile,
	type ProviderAbout,
	type ProviderContent,
	providerList,
	sourcesOf
} from '../providers/provider-files.ts';
import type { DocBlock, DocPage, DocRow } from './doc-page.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import type { Sending, Source, Surprise } from '#api/providers/provider-file.ts';
import { html, type Html } from '#lib/html.ts';

/**
 * Loads the page of a provider, with its rows of the tables of unmodified clients.
 * @param all the page of all providers, which has the table
 * @returns undefined where no provider has the name
 */
export async function loadProviderPage(name: string, all: DocPage | undefined): Promise<DocPage | undefined> {
	const about = providerList.find((one) => one.name === name && isProvider(name));
	if (about === undefined) return undefined;
	const content = await loadProviderFile(name);
	const captions = ['Unmodified clients', 'In other languages'];
	const clients = (all?.blocks ?? []).flatMap((block) =>
		block.kind === 'table' && captions.includes(block.caption) ? block.rows : []
	);
	return providerPage(about, content, clients);
}

/** What is sent in each situation, and to which endpoint. */
const situations: Readonly<Record<Sending['situation'], readonly [kind: EndpointKind, text: string]>> = {
	sign_in: ['token', 'A code is exchanged.'],
	second_sign_in: ['token', 'The code of a second sign-in of the same user is exchanged.'],
	refresh: ['token', 'A refresh token is used.'],
	old_refresh_token: ['token', 'A refresh token is used a second time.'],
	used_code: ['token', 'A code is exchanged a second time.'],
	wrong_secret: ['token', 'A code is exchanged with a wrong client secret.'],
	api: ['api', 'The API is called with an access token.'],
	no_token: ['api', 'The API is called without a token.'],
	dead_token: ['api', 'The API is called with a token that was never issued.'],
	over_limit: ['api', 'The API is called when the limit is used up.'],
	revoke: ['revoke', 'An access token is revoked.'],
	refresh_after_revocation: ['token', 'A refresh token is used after the access token was revoked.'],
	authorize: ['authorize', 'A user is sent to sign in.'],
	request: ['api', 'The API is called with an access token.']
};
const kinds: Readonly<Record<EndpointKind, string>> = {
	authorize: 'Authorization',
	token: 'Token',
	revoke: 'Revocation',
	api: 'API',
	keys: 'Public keys',
	metadata: 'Metadata',
	device: 'Device authorization',
	introspect: 'Introspection'
};

/**
 * The page of the documentation that says what the file of a provider has.
 * @param clients rows of the table of unmodified clients: client, provider, steps
 */
export function providerPage(about: ProviderAbout, content: ProviderContent, clients: readonly DocRow[]): DocPage {
	const { name, title, short, owner = title } = about;
	const { endpoints = [] } = content.dialect;
	const own = clients.filter(({ cells: [, provider] }) => provider === title || provider === short);
	const lead = `What a sandbox does that speaks like ${title}: each fact with its public source, and what surprises a client. Simulated, and not affiliated with ${owner}.`;
	return {
		title,
		description: lead,
		lead: html`${lead}`.html,
		blocks: [
			{ kind: 'code', language: 'shell', code: `npx tollgate as ${name} -- npm run dev` },
			prose(
				html`<p><a href="%home%/providers?provider=${name}">Providers</a> sends each surprise live, and <a href="%home%/docs/providers/">Simulated providers</a> says how to connect an application.</p>`
			),
			heading('Paths'),
			table(
				'Paths',
				['Endpoint', 'URL', 'In a sandbox'],
				endpoints.map(({ kind, url }) => [
					html`${kinds[kind]}`,
					code(url),
					code(`/as/${name}${url.replace(/^https:\/\/[^/]*/, '')}`)
				])
			),
			prose(html`<p>Sources</p>${linksOf(sourcesOf(content, 'endpoints'))}`),
			heading('Facts'),
			table(
				'Facts',
				['Fact', 'Value', 'Sources'],
				factsIn(content.dialect).map(([fact, value]) => [
					code(fact),
					code(JSON.stringify(value)),
					linksOf(sourcesOf(content, fact))
				])
			),
			heading('Surprises'),
			...content.surprises.flatMap((surprise) => surpriseBlocks(name, content, surprise)),
			heading('Not simulated'),
			prose(html`<ul>${content.notSimulated.map((one) => html`<li>${one}</li>`)}</ul>`),
			...(own.length === 0
				? []
				: [
						heading('Unmodified clients'),
						table(
							'Unmodified clients',
							['Client', 'Steps'],
							own.map(({ cells: [client = '', , steps = ''] }) => [{ html: client }, { html: steps }])
						)
					])
		]
	};
}

/** The facts of a dialect: a name, or a name in an object. Its endpoints have a table of their own. */
function factsIn(dialect: ProviderContent['dialect']): (readonly [fact: string, value: unknown])[] {
	return Object.entries(dialect).flatMap(([name, value]): (readonly [string, unknown])[] => {
		if (name === 'endpoints') return [];
		const isGroup = typeof value === 'object' && !Array.isArray(value);
		return isGroup ? Object.entries(value).map(([part, one]) => [`${name}.${part}`, one]) : [[name, value]];
	});
}

function surpriseBlocks(name: string, content: ProviderContent, surprise: Surprise): DocBlock[] {
	const { title, why, send, expect, fact, check } = surprise;
	const [kind, text] = situations[send.situation];
	const url = content.dialect.endpoints?.find((one) => one.kind === kind)?.url ?? '';
	const line =
		send.request?.line.replace(`/as/${name}`, '') ??
		`${kind === 'authorize' || kind === 'api' ? 'GET' : 'POST'} ${url}`;
	const headers = Object.entries(expect.headers ?? {}).map(([field, value]) => `${field}: ${value ?? '(not sent)'}`);
	const response = [
		`status ${expect.status}`,
		...headers,
		...(expect.contains ?? []),
		...(expect.lacks ?? []).map((part) => `(without ${part})`)
	];
	return [
		heading(title, 3),
		prose(html`<p>${why}</p><p>${text} ${[...differencesOf(send)].map((one) => html`${code(one)} `)}</p>`),
		{ kind: 'code', language: 'text', code: `${line}\n\n${response.join('\n')}` },
		prose(html`<p>${code(fact)} decides, and the trace shows ${code(check)}. ${linksOf(sourcesOf(content, fact))}</p>`)
	];
}

/** What a request has other than usual. */
function differencesOf({ authorize = {}, token = {}, headers = {} }: Sending): string[] {
	return Object.entries({ ...headers, ...authorize, ...token }).map(([field, value]) =>
		value === '' ? `no ${field}` : `${field}=${value}`
	);
}

function linksOf(sources: readonly Source[]): Html {
	const links = sources.map(
		({ title, url, kind, read }) =>
			html`<li><a href="${url.startsWith('/') ? `%home%${url}` : url}">${title}</a>, ${kind} ${read}</li>`
	);
	return html`<ul>${links}</ul>`;
}

/** A narrow page breaks it behind a sign, and not in a word. */
function code(text: string): Html {
	const [first = '', ...rest] = text.split(/(?<=[/.,:?&=_])(?=[\w{"[])/);
	return html`<code>${first}${rest.map((part) => html`<wbr>${part}`)}</code>`;
}

function prose(written: Html): DocBlock {
	return { kind: 'html', html: written.html };
}

function heading(text: string, level: 2 | 3 = 2): DocBlock {
	const id = text
		.toLowerCase()
		.replaceAll(/[^a-z0-9_]+/g, '-')
		.replaceAll(/^-|-$/g, '');
	return { kind: 'heading', level, id, text, html: html`${text}`.html };
}

function table(caption: string, columns: readonly string[], rows: readonly (readonly Html[])[]): DocBlock {
	return { kind: 'table', caption, columns, rows: rows.map((cells) => ({ cells: cells.map((cell) => cell.html) })) };
}
