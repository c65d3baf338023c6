import { htmlTokens, type HtmlTag } from './html-tokens.ts';
import type { PostedForm } from './response-form.ts';

/** How a user fills in the pages of a sign-in. */
type Filling = { readonly username?: string; readonly password?: string; readonly stopsAtConsent?: boolean };

/** A form or a link of a page. */
export type PageAction = PostedForm & {
	/** Not resolved: empty, or relative to the page. */
	readonly action: string;
	readonly method: 'get' | 'post';
	/** Whether it has a field that the user fills in. */
	readonly needsText: boolean;
	readonly isLink: boolean;
	/** Of its buttons, or of the link. */
	readonly label: string;
};

/** Types of inputs that a user leaves unchanged. */
const untouched = /^(?:hidden|submit|button|image|reset|checkbox|radio)$/;

/** The forms and links of a page, in their order. */
export function actionsIn(page: string): PageAction[] {
	const actions: PageAction[] = [];
	let open: { -readonly [K in keyof PageAction]: PageAction[K] } | undefined;
	const close = () => {
		if (open !== undefined) actions.push({ ...open, label: open.label.replaceAll(/\s+/g, ' ').trim() });
		open = undefined;
	};
	for (const token of htmlTokens(page)) {
		if (token.kind === 'text' && open !== undefined && token.element === '') open.label += ` ${token.text}`;
		if (token.kind === 'end' && (token.name === 'form' || (token.name === 'a' && open?.isLink === true))) close();
		if (token.kind !== 'start') continue;
		const { name, attributes } = token;
		if (name === 'form' || (name === 'a' && (open?.isLink ?? true))) {
			close();
			open = {
				action: attributes.get(name === 'a' ? 'href' : 'action') ?? '',
				fields: new URLSearchParams(),
				method: name === 'form' && attributes.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
				needsText: false,
				isLink: name === 'a',
				label: ''
			};
		} else if (open?.isLink === false) addField(open, token);
	}
	close();
	return actions;
}

function addField(form: { fields: URLSearchParams; needsText: boolean; label: string }, { name, attributes }: HtmlTag) {
	const type = attributes.get('type')?.toLowerCase() ?? (name === 'button' ? 'submit' : 'text');
	const [key, value = ''] = [attributes.get('name'), attributes.get('value')];
	if (name === 'textarea' || (name === 'input' && !untouched.test(type))) form.needsText = true;
	if (name === 'input' && type === 'submit') form.label += ` ${value}`;
	const isChosen = /^(?:checkbox|radio)$/.test(type)
		? attributes.has('checked')
		: !/^(?:button|image|reset)$/.test(type);
	if ((name === 'input' || name === 'button') && key !== undefined && isChosen && !form.fields.has(key))
		form.fields.append(key, value);
}

/** The first form of a page that has a field of this name. */
const formWith = (page: string, field: string): PageAction | undefined =>
	actionsIn(page).find(({ isLink, fields }) => !isLink && fields.has(field));

/**
 * The form of a sign-in or consent page of the service, filled in. Undefined if the page has none, or the user does not fill it in.
 * @param action where the service takes it
 */
export function interactionFormOf(
	text: string,
	{ username, password = 'demo', stopsAtConsent = false }: Filling,
	action: string
): PostedForm | undefined {
	const interaction = /name="interaction" value="([^"]*)"/.exec(text)?.[1];
	// For the code of a device, which the address of the page names (RFC 8628, section 3.3.1).
	const device = interaction === undefined ? formWith(text, 'user_code') : undefined;
	if ((interaction ?? device) === undefined || username === undefined) return undefined;
	const isSignIn = /name="password"/.test(text);
	if (!isSignIn && stopsAtConsent) return undefined;
	const decided = isSignIn ? { username, password } : { decision: 'approve' };
	const fields = new URLSearchParams({ ...(interaction !== undefined && { interaction }), ...decided });
	for (const [name, value] of device?.fields ?? []) if (!fields.has(name)) fields.append(name, value);
	return { action: device?.action ?? action, fields };
}

/** The authorization response that a page of the service posts to the client by its script. */
export function responseFormOf(text: string): PostedForm | undefined {
	return /<form method="post" action="[^"]*" data-submit>/.test(text)
		? actionsIn(text).find(({ isLink }) => !isLink)
		: undefined;
}

/**
 * The authorization request that a page of a client posts by its script (OpenID Connect Core 1.0, section 3.1.2.1). What else a page of a
 * client does by scripts stays undone.
 * @param endpoint the authorization endpoint
 */
export function authorizationFormOf(
	{ url, text }: { readonly url: string; readonly text: string },
	endpoint: string
): PostedForm | undefined {
	const form = actionsIn(text).find(
		({ method, action }) => method === 'post' && URL.canParse(action, url) && new URL(action, url).href === endpoint
	);
	return form && { action: endpoint, fields: form.fields };
}

/** Where a page without scripts sends the browser. */
export function refreshOf(text: string): string | undefined {
	for (const token of htmlTokens(text))
		if (token.kind === 'start' && token.name === 'meta' && /^refresh$/i.test(token.attributes.get('http-equiv') ?? ''))
			return /\burl=['"]?([^'"> ]+)/i.exec(token.attributes.get('content') ?? '')?.[1];
	return undefined;
}
