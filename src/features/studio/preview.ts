import { accentStyle } from '#api/world/accent.ts';
import { html, type Html } from '#lib/html.ts';
import { scopeSet } from '#service/core/form-fields.ts';
import { consentContent, signInForm } from '#service/pages/sign-in-form.ts';
import { logoOf, untrusted } from '#service/pages/page.ts';
import type { World } from '#service/world/world.ts';

/** The pages that the studio shows. */
export type PreviewPage = 'consent' | 'sign-in' | 'viewer' | 'front';

/**
 * A page of a world as a document for a frame without scripts.
 * @param rootUrl of the style sheet
 * @param theme of the page; undefined: that of the system
 */
export function previewOf(world: World, page: PreviewPage, rootUrl: string, theme: string | undefined): string {
	const style = accentStyle(world.brand);
	const content = { consent: consent, 'sign-in': signIn, viewer: viewerPage, front }[page](world);
	return html`<!doctype html>
		<html lang="en"${theme === undefined ? undefined : html` data-theme="${theme}"`}>
			<head>
				<meta charset="utf-8" />
				<meta name="color-scheme" content="light dark" />
				<title>Preview</title>
				<link rel="stylesheet" href="${rootUrl}/service.css" />
				${style === '' ? undefined : { html: `<style>${style}</style>` }}
			</head>
			<body class="service">
				<header class="masthead"><span class="mark">${logoOf(world.brand)}${world.brand.name}</span></header>
				<main class="card">${content}</main>
			</body>
		</html>`.html;
}

function consent({ brand, viewer, accounts, permissions, icons, texts }: World): Html {
	const [account] = accounts;
	const meanings = new Map(permissions.slice(0, 4).map(({ scope, consent }) => [scope, consent]));
	return consentContent({
		brand,
		application: viewer.name,
		icon: icons.get(viewer.client_id),
		username: account?.username ?? 'username',
		account,
		text: texts.consent,
		permissions: scopeSet(meanings.keys()).map((scope) => ({
			scope,
			meaning: meanings.get(scope) ?? scope,
			isGranted: false,
			isRequested: true
		})),
		offline: 'no',
		redirect_uri: 'https://application.example/callback',
		action: '',
		fields: {}
	});
}

function signIn({ brand, viewer, accounts, texts }: World): Html {
	return html`<h1>Sign in</h1>
		<p class="lead">
			You have left ${untrusted(viewer.name)}. It wants access to your ${brand.name} account, and never sees your
			password.
		</p>
		${texts.sign_in === undefined ? undefined : html`<p>${texts.sign_in}</p>`}
		${signInForm({ action: '', fields: {}, accounts })}`;
}

/** The web application before a sign-in, and what it suggests after one. */
function viewerPage({ brand, viewer, permissions, resource }: World): Html {
	return html`<h1>${viewer.name}</h1>
		<p class="lead">Signs users in with ${brand.name}, reads their ${resource.plural}, and respects the rate limits.</p>
		<ul class="permissions">
			${permissions.map(({ scope, title, consent }) => html`<li><strong>${title}</strong><span>${consent} <code>${scope}</code></span></li>`)}
		</ul>
		<div class="actions"><button class="primary">Sign in with ${brand.name}</button></div>
		<div class="accounts">${viewer.shows.map((name) => html`<button>${name}</button>`)}</div>`;
}

function front({ brand, viewer }: World): Html {
	return html`${brand.tagline === undefined ? undefined : html`<p class="hint">${brand.tagline}</p>`}
		<h1>${brand.headline ?? 'See both sides of OAuth and rate limiting'}</h1>
		<p class="lead">${brand.intro ?? `${brand.name} is a simulated OAuth 2.0 provider.`}</p>
		<div class="actions"><button class="primary">Open ${viewer.name}</button></div>`;
}
