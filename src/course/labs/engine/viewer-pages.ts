import type { Compared } from './message.ts';
import type { SiteResponse, View } from './site.ts';

export const viewerOrigin = 'https://viewer.example';
export const viewerName = 'Character Viewer';
const site = viewerName;

/** A link to another site. It keeps the other parameters. */
export function leave(query: URLSearchParams): SiteResponse {
	const to = query.get('to') ?? '';
	if (!URL.canParse(to))
		return { status: 400, outcome: 'No link', tone: 'error', view: { site, text: 'This link leads nowhere.' } };
	const target = new URL(to);
	for (const [name, value] of query) if (name !== 'to') target.searchParams.append(name, value);
	return { status: 303, location: target.href, outcome: `Sent on to ${target.host}`, tone: 'caution' };
}

/** A response to a browser whose request a rule rejected. @param outcome what was wrong. @param compared the values */
export function rejected(rule: string, text: string, outcome = 'Response', compared: Compared = {}): SiteResponse {
	const view = failed('Sign-in rejected', text);
	return { status: 403, rule, compared, outcome: `${outcome}. Rejected`, tone: 'error', view };
}

/** The page of a sign-in that did not work. */
export function failed(heading: string, text: string): View {
	return { site, heading, text, isRejected: true, action: { label: 'Start again', url: `${viewerOrigin}/start` } };
}

/** The page of a browser without a session. */
export function signedOut(text: string): SiteResponse {
	const action = { label: 'Sign in with Tollgate', url: `${viewerOrigin}/start` };
	return { status: 200, outcome: 'Signed out', tone: 'plain', view: { site, text, action } };
}

/** The response to a browser that brought the code for another session. */
export function connected(): SiteResponse {
	const view = { site, heading: 'Connected', text: 'Character Viewer is connected. You can close this page.' };
	return { status: 200, outcome: 'Connected the other session', tone: 'caution', view };
}
