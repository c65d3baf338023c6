import { createContext } from 'svelte';

/** Where a section badge leads, and how it is read out. */
export type SectionLink = { readonly href: string; readonly label: string };

const rfc = /^RFC (\d+)(?: §((?:\d+|[A-Z])(?:\.\d+)*))?$/;

/** Documents of OpenID, by how badges call them, with the name of the file. */
const openidDocuments: Readonly<Record<string, readonly [name: string, file: string]>> = {
	'OIDC Core': ['OpenID Connect Core 1.0', 'openid-connect-core-1_0'],
	'RP-Initiated Logout': ['OpenID Connect RP-Initiated Logout 1.0', 'openid-connect-rpinitiated-1_0'],
	'Form Post Response Mode': ['OAuth 2.0 Form Post Response Mode', 'oauth-v2-form-post-response-mode-1_0']
};
const openid = /^(.+) §(\d+(?:\.\d+)*)$/;

/** Drafts of the IETF, by how badges call them. */
const drafts: Readonly<Record<string, readonly [name: string, draft: string]>> = {
	CIMD: ['OAuth Client ID Metadata Document', 'draft-ietf-oauth-client-id-metadata-document-01'],
	'Browser-Based Applications': ['OAuth 2.0 for Browser-Based Applications', 'draft-ietf-oauth-browser-based-apps']
};

/**
 * The link of a section badge.
 * @param section of the specification (`3.3`), of an RFC (`RFC 6749 §5.2`), of OpenID (`OIDC Core §5.3`), or a draft
 * @param home `AppLocation.home`
 * @returns undefined where it is none of these
 */
export function sectionLink(section: string, home: string): SectionLink | undefined {
	const [, document, part] = rfc.exec(section) ?? [];
	if (document !== undefined) {
		const kind = /^[A-Z]/.test(part ?? '') ? 'appendix' : 'section';
		const hash = part === undefined ? '' : `#${kind}-${part}`;
		const label = `RFC ${document}${part === undefined ? '' : `, ${kind} ${part}`}`;
		return { href: `https://www.rfc-editor.org/rfc/rfc${document}${hash}`, label };
	}
	const [, called = '', number = ''] = openid.exec(section) ?? [];
	const [name, file] = openidDocuments[called] ?? [];
	if (file !== undefined)
		return {
			href: `https://openid.net/specs/${file}.html#rfc.section.${number}`,
			label: `${name}, section ${number}`
		};
	const [title, draft] = drafts[section] ?? drafts[called] ?? [];
	if (title !== undefined) {
		const [hash, place] = number === '' ? ['', ''] : [`#section-${number}`, `, section ${number}`];
		return { href: `https://datatracker.ietf.org/doc/html/${draft}${hash}`, label: title + place };
	}
	if (!/^\d(\.\d)?$/.test(section)) return undefined;
	return {
		href: `${home}/docs/specification/#section-${section.replace('.', '-')}`,
		label: `section ${section} of the specification`
	};
}

/** What every link of the page begins with (`AppLocation.home`), for components that are not passed it. */
export const [getHome, setHome, hasHome] = createContext<() => string>();
