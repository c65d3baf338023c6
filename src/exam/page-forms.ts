import { unescapeHtml } from '#api/html.ts';
import type { PostedForm } from './response-form.ts';

/** How a user fills in the pages of a sign-in. */
type Filling = { readonly username?: string; readonly password?: string; readonly stopsAtConsent?: boolean };

/**
 * The form of a sign-in or consent page, filled in. Undefined if the page has none, or the user does not fill it in.
 * @param action where the service takes it
 */
export function interactionFormOf(
	text: string,
	{ username, password = 'demo', stopsAtConsent = false }: Filling,
	action: string
): PostedForm | undefined {
	const interaction = /name="interaction" value="([^"]*)"/.exec(text)?.[1];
	const device = interaction === undefined ? deviceFormOf(text) : undefined;
	if ((interaction ?? device) === undefined || username === undefined) return undefined;
	const isSignIn = /name="password"/.test(text);
	if (!isSignIn && stopsAtConsent) return undefined;
	const decided = isSignIn ? { username, password } : { decision: 'approve' };
	const fields = new URLSearchParams({ ...(interaction !== undefined && { interaction }), ...decided });
	for (const [name, value] of device?.fields ?? []) if (!fields.has(name)) fields.append(name, value);
	return { action: device?.action ?? action, fields };
}

/** The form of a page for the code of a device, which the address of the page names (RFC 8628, section 3.3.1). */
function deviceFormOf(text: string): PostedForm | undefined {
	const [, action, content = ''] = /<form[^>]* method="post" action="([^"]*)"[^>]*>([^]*?)<\/form>/.exec(text) ?? [];
	if (action === undefined || !content.includes('name="user_code"')) return undefined;
	return { action: unescapeHtml(action), fields: fieldsOf(content) };
}

/** The authorization response that a page of the service posts to the client by its script. */
export function responseFormOf(text: string): PostedForm | undefined {
	const [, action, content = ''] = /<form method="post" action="([^"]*)" data-submit>([^]*)/.exec(text) ?? [];
	return action === undefined ? undefined : { action: unescapeHtml(action), fields: fieldsOf(content) };
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
	for (const [, tag = '', content = ''] of text.matchAll(/<form\b([^>]*)>([^]*?)<\/form\s*>/gi)) {
		const action = attributeOf(tag, 'action') ?? '';
		const isPost = attributeOf(tag, 'method')?.toLowerCase() === 'post';
		if (isPost && URL.canParse(action, url) && new URL(action, url).href === endpoint)
			return { action: endpoint, fields: fieldsOf(content) };
	}
	return undefined;
}

function fieldsOf(content: string): URLSearchParams {
	const inputs = [...content.matchAll(/<input\b([^>]*)>/gi)].map(([, tag = '']) => tag);
	return new URLSearchParams(
		inputs.flatMap((tag) => {
			const name = attributeOf(tag, 'name');
			return name === undefined ? [] : [[name, attributeOf(tag, 'value') ?? '']];
		})
	);
}

function attributeOf(tag: string, name: string): string | undefined {
	const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
	const [, inQuotes, inApostrophes, bare] = pattern.exec(tag) ?? [];
	const value = inQuotes ?? inApostrophes ?? bare;
	return value === undefined ? undefined : unescapeHtml(value);
}
