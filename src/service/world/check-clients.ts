import { ProtocolError } from '../errors.ts';
import { baseUrlPlaceholder, resolveBaseUrl, validateRedirectUris } from '../redirect-uris.ts';
import type { CompleteWorldFile } from './complete-file.ts';
import { WorldError } from './world-error.ts';

type Kind = 'web' | 'installed';

/**
 * Checks the applications, and the clients of our own pages among them.
 * @throws WorldError for the first mistake
 */
export function checkClients({ applications, viewer, companion }: CompleteWorldFile): void {
	applications.forEach(({ kind, redirect_uris = [] }, at) => {
		try {
			validateRedirectUris(
				kind,
				redirect_uris.map((uri) => resolveBaseUrl(uri, 'https://tollgate.test'))
			);
		} catch (fault) {
			if (!(fault instanceof ProtocolError)) throw fault;
			throw new WorldError(`applications.${at}.${fault.field ?? 'redirect_uris'}`, fault.message);
		}
	});
	const callback = `${baseUrlPlaceholder}/viewer/callback`;
	const { redirect_uris = [] } = requireClient(applications, 'viewer', 'web', viewer);
	if (!redirect_uris.includes(callback))
		throw new WorldError('viewer.client_id', `Add "${callback}" to the redirect_uris of "${viewer.client_id}".`);
	if (companion !== undefined) requireClient(applications, 'companion', 'installed', companion);
}

function requireClient(
	applications: CompleteWorldFile['applications'],
	page: 'viewer' | 'companion',
	kind: Kind,
	{ client_id, publish_secret = false }: CompleteWorldFile['viewer']
): CompleteWorldFile['applications'][number] {
	const found = applications.find((one) => one.client_id === client_id);
	if (found?.kind !== kind) {
		const reason =
			found === undefined ? `There is no application "${client_id}".` : `The kind of "${client_id}" is not "${kind}".`;
		throw new WorldError(
			`${page}.client_id`,
			`${reason} Add an application of the kind "${kind}", or name another one.`
		);
	}
	if (publish_secret && typeof found.secret !== 'string')
		throw new WorldError(
			`${page}.publish_secret`,
			`The secret of "${client_id}" is not in the file, so it stays secret. Remove publish_secret, or write the secret as a text.`
		);
	return found;
}
