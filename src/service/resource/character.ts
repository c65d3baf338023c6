import { decodePercent } from '#wire/percent.ts';
import type { CharacterView } from '#wire/protocol/character.ts';
import { respondData, respondError, requireMethod } from '../responses.ts';
import { ProtocolError } from '../errors.ts';
import { findCharacter, type Character } from '../seed.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins } from '../checks/cors.ts';
import { injectFault, injectRateLimit } from '../checks/faults.ts';
import { enforceRateLimit } from '../checks/rate-limit.ts';
import { check } from '../check.ts';
import { validateAddressHeader } from '../counted-address.ts';
import { endpoint } from '../runner.ts';
import { accessTokenChecks, ResourceContext } from './access-token.ts';
import { missingPermission } from './resource-errors.ts';

const checkMethod = check<ResourceContext>('character.method_is_get', 'The method is GET', '4', (context) =>
	requireMethod(context, 'GET')
);

const checkPermission = check<ResourceContext>(
	'character.scope_granted',
	'The token has the permission character_read',
	'5.6',
	(context) => {
		if (!context.accessToken.scopes.includes('character_read')) throw missingPermission('character_read');
		context.note(context.accessToken.scopes.join(' '));
	}
);

const respondCharacter = check<ResourceContext>('character.exists', 'The character exists', '4', (context) => {
	const segment = context.path.replace(/\/$/, '').split('/').slice(4).join('/');
	const name = segment.includes('/') ? undefined : decodePercent(segment, false);
	// eslint-disable-next-line no-control-regex -- no name has these, and no response should repeat them
	if (name === undefined || name === '' || name.length > 200 || /[\u0000-\u001f\u007f]/.test(name)) {
		throw new ProtocolError(
			'invalid_request',
			'The path must end with one character name, percent-encoded as UTF-8. Example: /ws/v2.0/character/Half%2FLife'
		);
	}
	const character = findCharacter(name);
	if (character === undefined) {
		throw new ProtocolError(
			'not_found',
			'No character has this name. Names must match exactly, including capitals, accents and punctuation.'
		);
	}
	const isOwn = character.player === context.accessToken.username;
	context.note(`${character.name}, ${isOwn ? 'of this user' : 'of another user: public fields'}`);
	return respondData(context, 200, 'character', visible(character, isOwn ? context.accessToken.scopes : []));
});

/** The character resource, `GET /ws/v2.0/character/<character_name>` (specification, section 4). */
export const character = endpoint(
	ResourceContext,
	[
		refuseBlacklisted,
		allowOrigins('GET'),
		...injectRateLimit('character'),
		enforceRateLimit('character'),
		...validateAddressHeader,
		injectFault,
		checkMethod,
		...accessTokenChecks,
		checkPermission,
		respondCharacter
	],
	respondError
);

function visible(character: Character, scopes: readonly string[]): CharacterView {
	const { name, race, level, guild, location, inventory, credits } = character;
	return {
		name,
		race,
		class: character.class,
		level,
		guild,
		...(scopes.includes('location_read') ? { location } : {}),
		...(scopes.includes('inventory_read') ? { inventory: [...inventory] } : {}),
		...(scopes.includes('credits_read') ? { credits } : {})
	};
}
