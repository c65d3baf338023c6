import { respondData, respondError, requireMethod } from '../responses.ts';
import { decodePercent } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { findCharacter, type Character } from '../seed.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins } from '../checks/cors.ts';
import { injectFault } from '../checks/faults.ts';
import { enforceRateLimit } from '../checks/rate-limit.ts';
import { endpoint, check } from '../runner.ts';
import type { Data } from '../xml.ts';
import { checkToken, missingPermission, readCredential, ResourceContext } from './access-token.ts';

const checkMethod = check<ResourceContext>('the method is GET', '4', (context) => requireMethod(context, 'GET'));

const checkPermission = check<ResourceContext>('the token carries character_read', '2.1', (context) => {
	if (!context.access.scopes.includes('character_read')) throw missingPermission('character_read');
	context.note(context.access.scopes.join(' '));
});

const respondCharacter = check<ResourceContext>('the character exists', '4', (context) => {
	const segment = context.path.replace(/\/$/, '').split('/').slice(4).join('/');
	const name = segment.includes('/') ? undefined : decodePercent(segment, false);
	// eslint-disable-next-line no-control-regex -- no name has these, and no answer should repeat them
	if (name === undefined || name === '' || name.length > 200 || /[\u0000-\u001f\u007f]/.test(name)) {
		throw new ProtocolError(
			'invalid_request',
			'Name one character, percent-encoded as UTF-8: /ws/v2.0/character/Half%2FLife'
		);
	}
	const character = findCharacter(name);
	if (character === undefined) {
		throw new ProtocolError(
			'not_found',
			'No character has this name. Names are spelt exactly, capitals and accents too.'
		);
	}
	const isOwn = character.player === context.access.username;
	context.note(
		`${character.name}, ${isOwn ? 'a character of this person' : 'a character of somebody else: public part'}`
	);
	return respondData(context, 200, 'character', visible(character, isOwn ? context.access.scopes : []));
});

/** The character resource, `GET /ws/v2.0/character/<character_name>` (specification, section 4). */
export const character = endpoint(
	ResourceContext,
	[
		refuseBlacklisted,
		allowOrigins('GET'),
		enforceRateLimit('character'),
		injectFault,
		checkMethod,
		readCredential,
		checkToken,
		checkPermission,
		respondCharacter
	],
	respondError
);

function visible(character: Character, scopes: readonly string[]): Data {
	const { name, race, level, guild, location, inventory, credits } = character;
	return {
		name,
		race,
		class: character.class,
		level,
		guild,
		...(scopes.includes('location_read') ? { location } : {}),
		...(scopes.includes('inventory_read') ? { inventory } : {}),
		...(scopes.includes('credits_read') ? { credits } : {})
	};
}
