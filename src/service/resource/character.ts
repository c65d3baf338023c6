import type { TestCard } from '#api/control/test-cards.ts';
import type { Permission } from '#api/control/world.ts';
import { noResponse } from '#api/message.ts';
import { decodePercent } from '#lib/percent.ts';
import { type Data, requireRead, respondData, respondError } from '../core/responses.ts';
import { ProtocolError, type ErrorDetails } from '../core/errors.ts';
import { permissionsOf, readingPermissions } from '../sandbox/permissions.ts';
import type { Character } from '../sandbox/records.ts';
import { characterKey } from '../world/seed.ts';
import { allowOrigins } from '../checks/cors.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { delayResponse } from '../checks/fault-responses.ts';
import { injectFault, injectRateLimit } from '../checks/faults.ts';
import { enforceRateLimit, nameSegment, readNameSegment } from '../checks/rate-limit.ts';
import { limitConcurrency } from '../checks/concurrency.ts';
import { check, endpoint } from '../core/runner.ts';
import { validateAddressHeader } from '../address/client-address.ts';
import { describeCard, findTestCard, slowDelay, testCharacter } from '../sandbox/test-cards.ts';
import { accessTokenChecks, ResourceContext } from './access-token.ts';
import { missingPermission } from '../core/resource-errors.ts';

class CharacterContext extends ResourceContext {
	/** Those of the sandbox. Set by `character.scope_granted`. */
	permissions!: readonly Permission[];
	/** Set by `character.name_valid`. */
	name!: string;
	/** Set by `character.not_a_test_card`. */
	card: TestCard | undefined;
}

const checkMethod = check<ResourceContext>('character.method_is_get', (context) => requireRead(context));

const checkPermission = check<CharacterContext>('character.scope_granted', async (context) => {
	const { scopes } = context.accessToken;
	context.permissions = await permissionsOf(context);
	const reading = readingPermissions(context.permissions);
	const [first] = reading;
	if (first !== undefined && !reading.some(({ scope }) => scopes.includes(scope)))
		throw missingPermission(context, first.scope, undefined, { granted: scopes });
	context.note(scopes.join(' '));
});

const readName = check<CharacterContext>('character.name_valid', (context) => {
	const { resource, viewer } = context.sandbox.seed.world;
	const segment = nameSegment(context);
	const name = readNameSegment(context);
	// eslint-disable-next-line no-control-regex -- no name has these, and no response should repeat them
	if (name === undefined || name === '' || name.length > 200 || /[\u0000-\u001f\u007f]/.test(name)) {
		throw new ProtocolError(
			'invalid_request',
			`The path must end with one ${resource.singular} name, percent-encoded as UTF-8. Example: /ws/v2.0/${resource.path ?? 'character'}/${encodeURIComponent(viewer.shows[0] ?? 'NAME')}`,
			{ received: [segment], expected: ['one path segment'] }
		);
	}
	context.name = name;
});

const applyTestCard = check<CharacterContext>('character.not_a_test_card', async (context) => {
	context.card = findTestCard(context, 'character', context.name);
	if (context.card === undefined) return undefined;
	context.note(describeCard(context.card));
	const { outcome } = context.card;
	context.isSimulated = outcome === 'no_response' || outcome === 'server_error';
	if (outcome === 'no_response') return noResponse;
	if (outcome === 'server_error') {
		throw new ProtocolError(
			'server_error',
			`Simulated error: ${context.name} is a test card. Request another ${context.sandbox.seed.world.resource.singular}.`,
			{ cause: 'simulated_error' }
		);
	}
	if (outcome === 'slow') await delayResponse(context, slowDelay);
	return undefined;
});

const respondCharacter = check<CharacterContext>('character.exists', async (context) => {
	const { sandbox, store, card, name, permissions, accessToken } = context;
	const character =
		card === undefined ? await store.get('character', characterKey(name)) : testCharacter(card, permissions);
	if (character === undefined) {
		const meant = await meantByWrongName(context);
		throw new ProtocolError(
			'not_found',
			`No ${sandbox.seed.world.resource.singular} has this name. Names must match exactly, including capitals, accents and punctuation.`,
			{ received: [name], ...meant }
		);
	}
	const isOwn = character.player === accessToken.username;
	context.note(`${character.name}, ${isOwn ? 'of this user' : 'public fields'}`);
	return respondData(context, 200, 'character', visibleFields(character, isOwn, permissions, accessToken.scopes));
});

/** The character resource, `GET /ws/v2.0/character/<character_name>` (specification, section 4). */
export const character = endpoint(
	CharacterContext,
	[
		rejectBlacklisted,
		allowOrigins('GET'),
		...injectRateLimit('character'),
		enforceRateLimit('character'),
		...limitConcurrency,
		...validateAddressHeader,
		injectFault,
		checkMethod,
		...accessTokenChecks,
		checkPermission,
		readName,
		applyTestCard,
		respondCharacter
	],
	respondError
);

/** Which mistake of encoding led to an unknown name, where the name without it exists. */
async function meantByWrongName({ store, name }: CharacterContext): Promise<ErrorDetails> {
	const decoded = decodePercent(name, true);
	const meant =
		decoded === undefined || decoded === name ? undefined : await store.get('character', characterKey(decoded));
	if (meant === undefined) return {};
	return { cause: name.includes('%') ? 'encoded_twice' : 'plus_as_space', expected: [meant.name] };
}

/** The fields that are public, and those that a granted permission opens. */
export function visibleFields(
	{ name, fields }: Character,
	isOwn: boolean,
	permissions: readonly Permission[],
	granted: readonly string[]
): Data {
	const isVisible = (field: string) => {
		let isPublic = true;
		for (const { scope, of, opens } of permissions) {
			if (!opens.includes(field)) continue;
			if ((isOwn || of === 'everybody') && granted.includes(scope)) return true;
			isPublic = false;
		}
		return isPublic;
	};
	const view: Record<string, Data> = { name };
	for (const field in fields) {
		const value = fields[field];
		if (value !== undefined && isVisible(field)) view[field] = value;
	}
	return view;
}
