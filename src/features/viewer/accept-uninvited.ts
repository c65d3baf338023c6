import { createFlowSecrets } from '#client/oauth/authorization-request.ts';
import type { ClientRegistration } from '#client/oauth/client-registration.ts';
import type { PendingAuthorizations } from '#client/oauth/pending-authorizations.ts';
import { lookupScope, type World } from '#client/world.ts';

type VictimClient = {
	readonly baseUrl: string;
	readonly world: World;
	readonly registration: ClientRegistration;
	/** The state of the sign-in that this tab started last. */
	expectedState(): Promise<string | undefined>;
};

/**
 * Makes an authorization response acceptable that this tab did not ask for, as a client does that does not check the state. For the
 * demonstration of that attack (RFC 6749, section 10.12). The client core checks the state of every response. So this adds a pending
 * request, and gives the response its state.
 * @returns the response to handle: `params` itself where this tab asked for it
 */
export async function acceptUninvited(
	params: URLSearchParams,
	pending: PendingAuthorizations,
	client: VictimClient
): Promise<URLSearchParams> {
	const expected = await client.expectedState();
	if (expected !== undefined && params.get('state') === expected) return params;
	const { state } = await createFlowSecrets();
	const { redirect_uri } = client.registration;
	const scope = [lookupScope(client.world)].filter((one) => one !== undefined);
	await pending.add({
		state,
		issuer: client.baseUrl,
		redirect_uri,
		scope,
		access_type: 'online',
		// An attacker's request has no challenge, or one whose verifier the client does not know.
		code_verifier: null,
		tokenSetId: null
	});
	const accepted = new URLSearchParams(params);
	accepted.set('state', state);
	return accepted;
}
