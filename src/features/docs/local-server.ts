import { authorityWord, isLocal, localAuthority } from '../console/snippets/local-authority.ts';

/**
 * Text of the documentation, with the address and the file of the local server that shows it.
 * @param server `PageContext`. The static build has none.
 * @param caFile see `authorityWord`
 */
export function withLocalServer(
	text: string,
	{ rootUrl, isReachable }: { readonly rootUrl: string; readonly isReachable: boolean },
	caFile: string | undefined
): string {
	const addressed = isReachable && isLocal(rootUrl) ? text.replaceAll('https://localhost:8443', () => rootUrl) : text;
	return addressed.replaceAll(localAuthority, () => authorityWord(caFile));
}
