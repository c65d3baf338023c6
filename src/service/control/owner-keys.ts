import { ownerKeysApi } from '#api/control/owner-keys.ts';
import { cookieName, readCookie, setCookie } from '../access/cookies.ts';
import { requireSameOrigin } from '../access/csrf.ts';
import { base64url } from '../core/encoding.ts';
import { findAccess } from '../access/control-access.ts';
import { implement, type ControlContext } from './control-endpoint.ts';
import { viewOf } from './sandboxes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** How many keys a sandbox has besides its first. A further one replaces the oldest. */
const maxOwnerKeys = 20;

/** The keys of a sandbox, which let a browser or program control it. */
export const ownerKeysEndpoints = implement(ownerKeysApi, {
	// A new key takes the place of the admin key or the key of the class in the cookie.
	'POST /control/owner': async (context) => {
		// A page of another site must not put its own key into this browser.
		requireSameOrigin(context);
		const access = await findAccess(context);
		const isForMore = access === 'admin key' || access === 'class key';
		const key = isForMore ? await createKey(context) : context.header('x-tollgate-key');
		if (key !== undefined) setCookie(context, context.sandbox.id, 'owner', key);
		return viewOf(context.sandbox);
	},
	'POST /control/owner-links': async (context) => {
		const key = await createKey(context);
		return { url: ownerLinkOf(context.sandbox, key) };
	},
	// The first key and that of the caller stay.
	'DELETE /control/owner-links': async (context) => {
		const own = context.header('x-tollgate-key') ?? readCookie(context, cookieName(context, 'owner')) ?? '';
		const digest = context.options.digest(own);
		let revoked = 0;
		await context.sandbox.updateState((state) => {
			const ownerKeys = state.ownerKeys.filter((key) => key === digest);
			revoked = state.ownerKeys.length - ownerKeys.length;
			return { ...state, ownerKeys };
		});
		endStreams(context, revoked);
		return { revoked };
	}
});

/** The link that lets a browser control a sandbox. Browsers don't send its fragment to servers. */
export function ownerLinkOf({ base_url }: Sandbox, key: string): string {
	return `${base_url}/controls/sandboxes#owner=${key}`;
}

/** Creates a key of the sandbox. Only its digest is stored. */
async function createKey(context: ControlContext): Promise<string> {
	const key = context.redact(base64url(context.options.random(32)));
	const digest = context.options.digest(key);
	let replaced = 0;
	await context.sandbox.updateState((state) => {
		const ownerKeys = [...state.ownerKeys, digest];
		replaced = Math.max(0, ownerKeys.length - maxOwnerKeys);
		return { ...state, ownerKeys: ownerKeys.slice(-maxOwnerKeys) };
	});
	endStreams(context, replaced);
	return key;
}

/** Ends all event streams once keys no longer work. Readers whose key still works connect again. */
function endStreams({ sandbox }: ControlContext, revoked: number): void {
	if (revoked > 0) sandbox.traffic.announce('revoked');
}
