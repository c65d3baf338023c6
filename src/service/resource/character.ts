import { answerData, answerError, requireMethod } from '../responses.ts';
import { decodePercent } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { findCharacter, type Character } from '../seed.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins } from '../checks/cors.ts';
import { injectFault } from '../checks/faults.ts';
import { countCall } from '../checks/rate-limit.ts';
import { endpoint, step } from '../runner.ts';
import type { Data } from '../xml.ts';
import { checkToken, missingPermission, readCredential, ResourceCall } from './access-token.ts';

const takeMethod = step<ResourceCall>('the method is GET', '4', (call) => requireMethod(call, 'GET'));

const checkPermission = step<ResourceCall>('the token carries character_read', '2.1', (call) => {
	if (!call.access.scopes.includes('character_read')) throw missingPermission('character_read');
	call.saw(call.access.scopes.join(' '));
});

const answerCharacter = step<ResourceCall>('the character exists', '4', (call) => {
	const segment = call.path.replace(/\/$/, '').split('/').slice(4).join('/');
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
	const isOwn = character.player === call.access.username;
	call.saw(`${character.name}, ${isOwn ? 'a character of this person' : 'a character of somebody else: public part'}`);
	return answerData(call, 200, 'character', visible(character, isOwn ? call.access.scopes : []));
});

/** The character resource, `GET /ws/v2.0/character/<character_name>` (specification, section 4). */
export const character = endpoint(
	ResourceCall,
	[
		refuseBlacklisted,
		allowOrigins('GET'),
		countCall('character'),
		injectFault,
		takeMethod,
		readCredential,
		checkToken,
		checkPermission,
		answerCharacter
	],
	answerError
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
