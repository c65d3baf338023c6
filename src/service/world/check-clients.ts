import { ProtocolError } from '../core/errors.ts';
import { baseUrlPlaceholder, resolveBaseUrl, validateRedirectUris } from '../sandbox/redirect-uris.ts';
import type { CompleteWorldFile } from './complete-file.ts';
import type { WorldMistakes } from './world-mistakes.ts';

type Kind = 'web' | 'installed';

/**
 * Checks the applications, and the clients of our own pages among them.
 * @param mistakes gets those that are found
 */
export function checkClients({ applications, viewer, companion }: CompleteWorldFile, mistakes: WorldMistakes): void {
	applications.forEach(({ kind, redirect_uris = [] }, at) => {
		try {
			validateRedirectUris(
				kind,
				redirect_uris.map((uri) => resolveBaseUrl(uri, 'https://tollgate.test'))
			);
		} catch (fault) {
			if (!(fault instanceof ProtocolError)) throw fault;
			mistakes.add(`applications.${at}.${fault.field ?? 'redirect_uris'}`, fault.message);
		}
	});
	const callback = `${baseUrlPlaceholder}/viewer/callback`;
	const found = requireClient(applications, 'viewer', 'web', viewer, mistakes);
	if (found !== undefined && !found.redirect_uris?.includes(callback))
		mistakes.add('viewer.client_id', `Add "${callback}" to the redirect_uris of "${viewer.client_id}".`);
	if (companion !== undefined) requireClient(applications, 'companion', 'installed', companion, mistakes);
}

function requireClient(
	applications: CompleteWorldFile['applications'],
	page: 'viewer' | 'companion',
	kind: Kind,
	{ client_id, publish_secret = false }: CompleteWorldFile['viewer'],
	mistakes: WorldMistakes
): CompleteWorldFile['applications'][number] | undefined {
	const found = applications.find((one) => one.client_id === client_id);
	if (found?.kind !== kind) {
		const reason =
			found === undefined ? `There is no application "${client_id}".` : `The kind of "${client_id}" is not "${kind}".`;
		mistakes.add(`${page}.client_id`, `${reason} Add an application of the kind "${kind}", or name another one.`);
		return undefined;
	}
	if (publish_secret && typeof found.secret !== 'string')
		mistakes.add(
			`${page}.publish_secret`,
			`The secret of "${client_id}" is not in the file, so it stays secret. Remove publish_secret, or write the secret as a text.`
		);
	return found;
}
