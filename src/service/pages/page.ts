import type { WireResponse } from '#wire/message.ts';
import { activeFaultsText } from '#wire/control/fault-rules.ts';
import { activeFaults } from '../faults.ts';
import { respondText } from '../responses.ts';
import type { Context } from '../context.ts';
import { rootSandbox } from '../records.ts';
import { notice } from './elements.ts';
import { html, type Html } from './html.ts';

/** A page of the service. It works without scripts. */
export type Page = {
	/** Of the document; the out-of-band flow reads it (specification, section 3.2). */
	readonly title: string;
	readonly content: Html;
	/** Origins other than our own that a form may lead to: the application's. */
	readonly formOrigins?: readonly string[];
	/** True: a step of a sign-in. A band says so, and there is no navigation. */
	readonly isFlowStep?: boolean;
	/** True: the URL leads to nothing, so the navigation marks no page as open. */
	readonly isNotFound?: boolean;
};

/** The pages of the sidebar, by group. They are those of the application's sidebar. */
export const destinations: readonly (readonly [group: string, pages: Readonly<Record<string, string>>])[] = [
	['Tollgate', { '/': 'Home', '/learn': 'Learn', '/inspector': 'Inspector', '/request': 'Request builder' }],
	['Demo clients', { '/viewer': 'Character Viewer', '/companion': 'Pocket Companion' }],
	[
		'Developer console',
		{
			'/console': 'Applications',
			'/console/rate-limits': 'Rate limits',
			'/console/support': 'Support',
			'/account': 'Account'
		}
	],
	[
		'Sandbox controls',
		{
			'/controls': 'Clock and limits',
			'/controls/faults': 'Faults',
			'/controls/credentials': 'Credentials',
			'/controls/accounts': 'Accounts',
			'/controls/test-cards': 'Test cards',
			'/controls/sandboxes': 'Sandboxes'
		}
	],
	['Help', { '/docs': 'Documentation' }]
];

/** The logo of the application: a closed toll barrier. */
export const logo = html`<svg class="logo" viewBox="0 0 34 26" aria-hidden="true">
	<g fill="none" stroke="var(--fg-subtle)" stroke-width="1.25">
		<path d="M1 24.5H33M30.5 24V16.5m-1.5-1.5v1.5h3v-1.5" />
		<circle cx="6.5" cy="3.6" r="2.3" />
	</g>
	<path fill="currentColor" d="M6.5 9.5H31v5H6.5zM4 7.5h5v17H4z" />
	<path fill="var(--bg-page)" d="M12.5 9.5h3.2l-3 5h-3.2zM20.5 9.5h3.2l-3 5h-3.2zM28 9.5h3v.3l-2.8 4.7h-3.2z" />
</svg>`;

/** Responds with a page that cannot be framed or cached and has one script (RFC 9700, sections 4.2.4 and 4.16). */
export function respondPage(
	context: Context,
	status: number,
	page: Page,
	headers: readonly string[] = []
): WireResponse {
	const security = [
		...['Content-Security-Policy', contentSecurityPolicy(context.options.origin, page.formOrigins ?? [])],
		...['X-Frame-Options', 'DENY'],
		...['Referrer-Policy', 'same-origin']
	];
	return respondText(context, status, 'text/html; charset=utf-8', document(context, page), [...security, ...headers]);
}

function contentSecurityPolicy(origin: string, formOrigins: readonly string[]): string {
	return [
		"default-src 'none'",
		`script-src ${origin}/service.js`,
		"style-src 'self'",
		"font-src 'self' data:",
		"img-src 'self'",
		`form-action ${["'self'", ...formOrigins].join(' ')}`,
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"object-src 'none'"
	].join('; ');
}

function document(context: Context, page: Page): string {
	const { origin } = context.options;
	const { id, base_url } = context.sandbox;
	const sandbox = id === rootSandbox ? 'Default sandbox' : html`Sandbox <code>~${id.slice(0, 6)}…</code>`;
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<meta name="robots" content="noindex" />
				<title>${page.title}</title>
				<link rel="icon" href="${origin}/favicon.svg" />
				<link rel="stylesheet" href="${origin}/service.css" />
				<script src="${origin}/service.js"></script>
			</head>
			<body class="service${page.isFlowStep === true ? '' : ' site'}">
				<header class="masthead">
					<a class="mark" href="${base_url}/">${logo}Tollgate</a>
					<span class="sandbox">${sandbox}</span>
					${page.isFlowStep === true ? band : menuButton}
				</header>
				${page.isFlowStep === true ? undefined : navigation(context, page)}
				<main class="${page.isFlowStep === true ? 'card' : 'page'}">${faultNotice(context)}${page.content}</main>
				<footer class="colophon"><p>A simulated service. Don’t enter real passwords.</p></footer>
			</body>
		</html> `.html;
}

/** Says that faults are active, as the application does on each of its pages. */
function faultNotice({ sandbox, options }: Context): Html | undefined {
	const { length } = activeFaults(sandbox, options);
	if (length === 0) return undefined;
	const link = html`<a href="${sandbox.base_url}/controls/faults">Show faults</a>`;
	return notice('caution', html`${activeFaultsText(length)} ${link}`);
}

const band = html`<p class="band"><strong>Authorization server</strong> · step 2 of 4</p>`;

const menuButton = html`<button type="button" class="menu" popovertarget="menu">Menu</button>`;

function navigation({ sandbox, path }: Context, { isNotFound = false }: Page): Html {
	const open = isNotFound ? undefined : path.replace(/\/$/, '');
	const group = ([label, pages]: (typeof destinations)[number]) =>
		html`<h2>${label}</h2>
			<ul>
				${Object.entries(pages).map(
					([target, name]) =>
						html`<li><a href="${sandbox.base_url}${target}"${open === target ? html` aria-current="page"` : undefined}>${name}</a></li>`
				)}
			</ul>`;
	return html`<nav id="menu" class="rail" popover aria-label="Main">${destinations.map(group)}</nav>`;
}
