import type { WireResponse } from '#wire/message.ts';
import { respondText } from '../responses.ts';
import type { Context } from '../context.ts';
import { sanitizeText } from '../encoding.ts';
import { rootSandbox } from '../records.ts';
import { html, type Html } from './html.ts';

/** A page of the service. It works without scripts. */
export type Page = {
	/** Of the document; the out-of-band flow reads it (specification, section 3.2). */
	readonly title: string;
	readonly content: Html;
	/** Origins other than our own that a form may lead to: the application's. */
	readonly formOrigins?: readonly string[];
	readonly wide?: boolean;
};

/** Responds with a page that cannot be framed, cached or scripted (RFC 9700, sections 4.2.4 and 4.16). */
export function respondPage(
	context: Context,
	status: number,
	page: Page,
	headers: readonly string[] = []
): WireResponse {
	const security = [
		'Content-Security-Policy',
		contentSecurityPolicy(page.formOrigins ?? []),
		'X-Frame-Options',
		'DENY',
		'Referrer-Policy',
		'same-origin'
	];
	return respondText(context, status, 'text/html; charset=utf-8', document(context, page), [...security, ...headers]);
}

/** Untrusted text for display: sanitized, shortened, and isolated from the text direction around it. */
export function untrusted(text: string, longest = 80): Html {
	return html`<bdi>${sanitizeText(text, longest)}</bdi>`;
}

function contentSecurityPolicy(formOrigins: readonly string[]): string {
	return [
		"default-src 'none'",
		"style-src 'self'",
		"font-src 'self'",
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
	const sandbox =
		id === rootSandbox ? undefined : html`<span class="sandbox">sandbox <code>~${id.slice(0, 6)}…</code></span>`;
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
			</head>
			<body class="service">
				<header class="masthead"><a class="mark" href="${base_url}/">Tollgate</a>${sandbox}</header>
				<main class="card${page.wide === true ? ' wide' : ''}">${page.content}</main>
				<footer class="colophon"><p>A simulated service. Don’t enter real passwords.</p></footer>
			</body>
		</html> `.html;
}
