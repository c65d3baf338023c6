import type { WireResponse } from '#api/message.ts';
import { movedClockText } from '#lib/time-text.ts';
import { activeFaultsText } from '#api/control/fault-rules.ts';
import { accentStyle } from '#api/world/accent.ts';
import { activeFaults } from '../sandbox/faults.ts';
import { base64FromUrl } from '../core/encoding.ts';
import { respondText } from '../core/responses.ts';
import type { Context } from '../core/context.ts';
import { rootSandbox } from '../core/target.ts';
import { isAtRealUrl } from '../provider/provider-urls.ts';
import { html, type Html } from '#lib/html.ts';
import type { Brand } from '#api/world/brand.ts';
import { sanitizeText } from '#lib/plain-text.ts';

/** A page of the service. It works without scripts. */
export type Page = {
	/** Of the document; the out-of-band flow reads it (specification, section 3.2). */
	readonly title: string;
	readonly content: Html;
	/** Origins other than our own that a form may lead to: the application's. */
	readonly formOrigins?: readonly string[];
	/** True: a step of a sign-in. A band says so, and no links lead away from it. */
	readonly isFlowStep?: boolean;
	/** True: the URL has no page, so no link is marked as open. */
	readonly isNotFound?: boolean;
};

/** The title of a page: `Sign in · Tollgate`. */
export function pageTitle({ sandbox }: Context, name: string): string {
	return `${name} · ${sandbox.seed.world.brand.name}`;
}

/** Responds with a page that cannot be framed or cached, and runs only the two scripts of this site (RFC 9700, sections 4.2.4 and 4.16). */
export function respondPage(
	context: Context,
	status: number,
	page: Page,
	headers: readonly string[] = []
): WireResponse {
	const security = [
		'Content-Security-Policy',
		contentSecurityPolicy(context, page.formOrigins ?? []),
		'X-Frame-Options',
		'DENY',
		'Referrer-Policy',
		'same-origin'
	];
	return respondText(context, status, 'text/html; charset=utf-8', document(context, page), [...security, ...headers]);
}

function contentSecurityPolicy(context: Context, formOrigins: readonly string[]): string {
	const { options, sandbox } = context;
	const { brand, icons } = sandbox.seed.world;
	const style = accentStyle(brand);
	// At the real URL of a provider they have another origin than the page.
	const ours = (file: string) => (isAtRealUrl(context) ? ` ${options.origin}/${file}` : '');
	return [
		"default-src 'none'",
		`script-src ${options.origin}/service.js ${options.origin}/guide.js`,
		`style-src 'self'${ours('service.css')}${style === '' ? '' : ` 'sha256-${base64FromUrl(options.digest(style))}'`}`,
		`font-src 'self'${ours('_app/')} data:`,
		`img-src 'self'${ours('favicon.svg')}${brand.logo === undefined && icons.size === 0 ? '' : ' data:'}`,
		`form-action ${["'self'", ...formOrigins].join(' ')}`,
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"object-src 'none'"
	].join('; ');
}

function document(context: Context, page: Page): string {
	const { origin } = context.options;
	const { id, base_url, seed } = context.sandbox;
	const { brand } = seed.world;
	const style = accentStyle(brand);
	const sandbox = id === rootSandbox ? 'Default sandbox' : html`Sandbox <code>~${id.slice(0, 6)}…</code>`;
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<meta name="robots" content="noindex" />
				<title>${page.title}</title>
				<link rel="icon" href="${brand.logo?.light ?? `${origin}/favicon.svg`}" />
				<link rel="stylesheet" href="${origin}/service.css" />
				${style === '' ? undefined : { html: `<style>${style}</style>` }}
				<script src="${origin}/service.js"></script>
			</head>
			<body class="service">
				<header class="masthead">
					<a class="mark" href="${base_url}/">${logoOf(brand)}${brand.name}</a>
					<span class="sandbox">${sandbox}</span>
					${page.isFlowStep === true ? flowBand : html`${serviceBand}${links(context, page)}`}
				</header>
				<main class="card">${providerNotice(context)}${stateNotices(context)}${page.content}</main>
				<footer class="colophon"><p>A simulated service. Don’t enter real passwords.</p></footer>
			</body>
		</html> `.html;
}

/** Says on each page of a simulated provider whose it is not. */
function providerNotice({ surface }: Context): Html | undefined {
	return surface && notice('caution', html`Simulated. Not affiliated with ${surface.provider.short}. Our own page.`);
}

/** Says that faults are active or that the clock was moved, as the application does on each of its pages. */
function stateNotices({ sandbox, options }: Context): readonly Html[] {
	const faults = activeFaults(sandbox, options).length;
	const { offset } = sandbox.state;
	const show = (text: string, path: string, label: string) =>
		notice('caution', html`${text} <a href="${sandbox.base_url}${path}">${label}</a>`);
	return [
		...(faults > 0 ? [show(activeFaultsText(faults), '/controls/faults', 'Show faults')] : []),
		...(offset > 0 ? [show(movedClockText(offset), '/controls', 'Show clock')] : [])
	];
}

const flowBand = html`<p class="band"><strong>Authorization server</strong> · step 2 of 4</p>`;

const serviceBand = html`<p class="band">This page belongs to the service, not to an application.</p>`;

/** The way back to the application, and the account settings. */
function links({ sandbox, path }: Context, { isNotFound = false }: Page): Html {
	const open = isNotFound ? undefined : path.replace(/\/$/, '');
	const pages = { '/viewer': sandbox.seed.world.viewer.name, '/console': 'Applications', '/account': 'Account' };
	return html`<nav class="links" aria-label="Main">
		${Object.entries(pages).map(
			([target, label]) =>
				html`<a href="${sandbox.base_url}${target}"${open === target ? html` aria-current="page"` : undefined}>${label}</a>`
		)}
	</nav>`;
}

/** The logo of the demo world: a closed toll barrier. */
const tollBarrier = html`<svg class="logo" viewBox="0 0 34 26" aria-hidden="true">
	<g fill="none" stroke="var(--fg-subtle)" stroke-width="1.25">
		<path d="M1 24.5H33M30.5 24V16.5m-1.5-1.5v1.5h3v-1.5" />
		<circle cx="6.5" cy="3.6" r="2.3" />
	</g>
	<path fill="currentColor" d="M6.5 9.5H31v5H6.5zM4 7.5h5v17H4z" />
	<path fill="var(--bg-page)" d="M12.5 9.5h3.2l-3 5h-3.2zM20.5 9.5h3.2l-3 5h-3.2zM28 9.5h3v.3l-2.8 4.7h-3.2z" />
</svg>`;

/** The logo of a brand. An SVG of a world file is an image, so that no script in it runs. */
export function logoOf({ logo }: Brand): Html {
	if (logo === undefined) return tollBarrier;
	if (logo.dark === undefined) return html`<img class="logo" src="${logo.light}" alt="" />`;
	// The style sheet shows the one of the theme.
	return html`<img class="logo for-light" src="${logo.light}" alt="" /><img class="logo for-dark" src="${logo.dark}" alt="" />`;
}

/** Untrusted text for display: sanitized, shortened, and isolated from the text direction around it. */
export function untrusted(text: string, longest = 80): Html {
	return html`<bdi>${sanitizeText(text, longest)}</bdi>`;
}

/** The icon of an application, or the first letter of its name. */
export function iconOf(name: string, icon: string | undefined): Html | string {
	if (icon !== undefined) return html`<img class="logo" src="${icon}" alt="" />`;
	return Array.from(name.trim())[0]?.toUpperCase() ?? '';
}

/** A URL that breaks before its slashes where a line is too short. */
export function urlCode(url: string): Html {
	const [first = '', ...rest] = url.split(/(?<=[^/:])(?=\/)/);
	return html`<code>${first}${rest.map((part) => html`<wbr />${part}`)}</code>`;
}

/** A list of terms and values. Values that are undefined are left out. */
export function facts(values: Readonly<Record<string, Html | readonly Html[] | string | undefined>>): Html {
	const rows = Object.entries(values).filter(([, value]) => value !== undefined);
	return html`<dl class="facts">
		${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}
	</dl>`;
}

/** A paragraph with a colored border. Errors are announced by screen readers. */
export function notice(tone: 'info' | 'ok' | 'caution' | 'error', content: Html | string): Html {
	return html`<p class="notice ${tone}"${tone === 'error' ? html` role="alert"` : undefined}>${content}</p>`;
}

/** A button that copies the text of an element. Only the script makes it work, so it is hidden without. */
export function copyButton(id: string, label: string): Html {
	return html`<button type="button" class="copy needs-script" data-copy="${id}">${label}</button>`;
}

/** Values of one column each, as a list of code. */
export function codeList(values: readonly string[]): readonly Html[] {
	return values.map((value) => html`<code>${value}</code><br>`);
}

/**
 * A table.
 * @param headings of the columns; on a narrow page they become labels of the cells
 * @param rows the first cell of a row is its heading
 */
export function table(headings: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
	const cell = (content: Html | string, column: number) =>
		column === 0 ? html`<td>${content}</td>` : html`<td data-label="${headings[column]}">${content}</td>`;
	return html`<table>
		<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
		<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
	</table>`;
}
