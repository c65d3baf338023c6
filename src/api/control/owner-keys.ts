import * as v from 'valibot';
import { declare } from '../declare.ts';
import { text } from './fields.ts';
import { sandbox } from './sandboxes.ts';

/** `POST owner-links`: a link that lets another browser control the sandbox. The key is in its fragment. */
export const ownerLink = v.object({ url: v.string() });

/** `DELETE owner-links`: how many keys were revoked. */
export const revokedOwnerLinks = v.object({ revoked: v.number() });

/** The longest key of a sandbox that a page accepts. */
export const sandboxKey = text(512);

/** Who controls the sandbox. */
export const ownerKeysApi = declare({
	'POST /control/owner': {
		id: 'becomeOwner',
		tag: 'Sandbox',
		summary: 'Control this sandbox from a browser',
		description: 'Sets the owner cookie for the key that is sent.',
		responses: { 200: { description: 'The sandbox.', json: sandbox } }
	},
	'POST /control/owner-links': {
		id: 'createOwnerLink',
		tag: 'Sandbox',
		summary: 'Create an owner link',
		description: 'Another browser that opens the link controls the sandbox.',
		responses: { 200: { description: 'The link. The key is in its fragment.', json: ownerLink } }
	},
	'DELETE /control/owner-links': {
		id: 'revokeOwnerLinks',
		tag: 'Sandbox',
		summary: 'Revoke all owner links',
		description:
			'Other browsers that opened an owner link, or used `ADMIN_KEY`, lose control. The key that the sandbox was created with and that of this request keep working.',
		destroys: true,
		responses: { 200: { description: 'The links are revoked.', json: revokedOwnerLinks } }
	}
});

export type OwnerLink = v.InferOutput<typeof ownerLink>;
export type RevokedOwnerLinks = v.InferOutput<typeof revokedOwnerLinks>;
