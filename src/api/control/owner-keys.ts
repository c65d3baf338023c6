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
		description: 'Sets the cookie that lets this browser control the sandbox. Send the key in `X-Tollgate-Key`.',
		responses: { 200: { description: 'The sandbox.', json: sandbox } }
	},
	'POST /control/owner-links': {
		id: 'createOwnerLink',
		tag: 'Sandbox',
		summary: 'Create an owner link',
		description:
			'Returns a link with a new key, as `url`. A browser that opens it controls the sandbox. The part after `#owner=` is also a key for `X-Tollgate-Key`. The latest 20 links work. A link of the root sandbox can also list and delete all other sandboxes.',
		responses: { 200: { description: 'The link. The key is in its fragment.', json: ownerLink } }
	},
	'DELETE /control/owner-links': {
		id: 'revokeOwnerLinks',
		tag: 'Sandbox',
		summary: 'Revoke all owner links',
		description:
			'Revokes all owner links, and the access of browsers that used `ADMIN_KEY`. The first key of the sandbox and the key of this request stay. Returns the number of revoked keys as `revoked`.',
		destroys: true,
		responses: { 200: { description: 'The links are revoked.', json: revokedOwnerLinks } }
	}
});

export type RevokedOwnerLinks = v.InferOutput<typeof revokedOwnerLinks>;
