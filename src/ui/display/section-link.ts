import { createContext } from 'svelte';

/** Where a section badge leads, and how it is read out. */
export type SectionLink = { readonly href: string; readonly label: string };

const rfc = /^RFC (\d+)(?: §((?:\d+|[A-Z])(?:\.\d+)*))?$/;

/** OpenID Connect Core 1.0. */
const openidCore = /^OIDC Core §(\d+(?:\.\d+)*)$/;

/**
 * The link of a section badge.
 * @param section of the specification (`3.3`), of an RFC (`RFC 6749 §5.2`), or of OpenID Connect (`OIDC Core §5.3`)
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
	const [, openid] = openidCore.exec(section) ?? [];
	if (openid !== undefined) {
		const href = `https://openid.net/specs/openid-connect-core-1_0.html#rfc.section.${openid}`;
		return { href, label: `OpenID Connect Core 1.0, section ${openid}` };
	}
	if (!/^\d(\.\d)?$/.test(section)) return undefined;
	return {
		href: `${home}/docs/specification/#section-${section.replace('.', '-')}`,
		label: `section ${section} of the specification`
	};
}

/** What every link of the page begins with (`AppLocation.home`), for components that are not passed it. */
export const [getHome, setHome, hasHome] = createContext<() => string>();
