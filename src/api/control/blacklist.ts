import * as v from 'valibot';
import { declare } from '../declare.ts';

/** `GET blacklist`. */
export const blacklist = v.object({
	blacklist: v.array(
		v.object({
			address: v.string(),
			/** Unix seconds, sandbox clock. */
			since: v.number(),
			reason: v.string()
		})
	)
});

/** `DELETE blacklist/<address>`. */
export const unblocked = v.object({ unblocked: v.string() });

export const blacklistApi = declare({
	'GET /control/blacklist': {
		id: 'listBlacklist',
		tag: 'Blacklist and tickets',
		summary: 'List blacklisted addresses',
		description: 'Lists the blacklist entries: `address`, `since` and `reason`.',
		responses: { 200: { description: 'The blacklist.', json: blacklist } }
	},
	'DELETE /control/blacklist/{+address}': {
		id: 'unblockAddress',
		tag: 'Blacklist and tickets',
		summary: 'Unblock an address',
		description: 'Unblocks an address, and resets its limits.',
		destroys: true,
		responses: { 200: { description: 'The address is unblocked.', json: unblocked } },
		errors: { 404: 'The address is not blacklisted.' }
	}
});

export type Blacklist = v.InferOutput<typeof blacklist>;
