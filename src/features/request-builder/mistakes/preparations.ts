import { scopeOf } from '#api/world/record-values.ts';
import { type ControlApi, ControlError, credentialId } from '#client/control-api/control-api.ts';
import { createFlowSecrets } from '#client/oauth/authorization-request.ts';
import { urlOf } from '../compose.ts';
import { set, valueOf, type RequestDraft } from '../draft.ts';
import { setAll } from '../drafts.ts';
import { pastedCode } from '../edit-draft.ts';
import { readTokens, type BuilderResponse } from '../send-draft.ts';
import type { Mistake, MistakeContext } from './mistake.ts';

type Environment = {
	readonly api: ControlApi;
	/** Signs what a request asks for, and sends it. */
	readonly send: (draft: RequestDraft) => Promise<BuilderResponse>;
};

type Preparation = {
	/** What the list of mistakes says about it. */
	readonly note: string;
	/** @returns the request to send. @throws ControlError */
	prepare(environment: Environment, draft: RequestDraft, context: MistakeContext): Promise<RequestDraft>;
};

/** What happens before a request with a mistake. The visitor needs to control the sandbox. */
export const preparations: Readonly<Record<NonNullable<Mistake['before']>, Preparation>> = {
	end_access_token: {
		note: 'Your access token, or a new one, is ended first, as if its time had passed.',
		prepare: async (environment, draft, context) => {
			const { accessToken } = context;
			const token = accessToken === '' ? await signIn(environment, context) : accessToken;
			const path = { kind: 'access_tokens', id: await credentialId(token) } as const;
			await environment.api.request('DELETE /control/credentials/{kind}/{id}', { path }).catch((thrown: unknown) => {
				// It has ended already.
				if (!(thrown instanceof ControlError && thrown.status === 404)) throw thrown;
			});
			return accessToken === '' ? withToken(draft, token) : draft;
		}
	},
	use_up_limit: {
		note: 'A fault responds once as if the limit was used up. Your requests are not counted.',
		prepare: async ({ api }, draft) => {
			await api.request('POST /control/faults', { body: { kind: 'rate_limited', endpoint: 'records', times: 1 } });
			return draft;
		}
	},
	narrow_token: {
		note: 'A token of the same application with another permission is sent.',
		prepare: async (environment, draft, context) =>
			withToken(draft, await signIn(environment, context, scopeBeside(context)))
	}
};

/** The request with another token, in its scheme or as `subject_token`. */
function withToken(draft: RequestDraft, token: string): RequestDraft {
	return set(
		set(draft, 'subject_token', token),
		'Authorization',
		`${/^\S+/.exec(valueOf(draft, 'Authorization'))?.[0]} ${token}`
	);
}

/**
 * Signs the first account in, and allows access.
 * @param scope default: that of the authorization request
 * @returns the access token
 */
async function signIn({ api, send }: Environment, { drafts, world }: MistakeContext, scope?: string): Promise<string> {
	const { state, code_challenge, code_verifier } = await createFlowSecrets();
	const values = { state, code_challenge, code_challenge_method: 'S256', code_verifier };
	const { authorization, exchange } = setAll(drafts, scope === undefined ? values : { ...values, scope });
	const query = new URL(urlOf(authorization, api.baseUrl)).search.slice(1);
	const username = world.accounts[0]?.username ?? '';
	const { location, title = '' } = await api.request('POST /control/authorizations', { body: { username, query } });
	const { body } = await send(set(exchange, 'code', pastedCode(location ?? title)));
	return readTokens(body).access_token ?? '';
}

/** A permission for other records. */
function scopeBeside({ world, recordKind }: MistakeContext): string {
	const { name = '' } = recordKind ?? {};
	return world.permissions.find(({ scope }) => !isOf(name, scope))?.scope ?? '';
}

function isOf(kind: string, scope: string): boolean {
	return scope === scopeOf(kind, 'read') || scope === scopeOf(kind, 'write');
}
