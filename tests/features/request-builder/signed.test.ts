import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { worldApplications } from '#features/request-builder/application.ts';
import { codeParts } from '#features/request-builder/compose.ts';
import { set, valueOf, type RequestDraft } from '#features/request-builder/draft.ts';
import { forApplication, inDialect, newDrafts, setAll, type Drafts } from '#features/request-builder/drafts.ts';
import type { MistakeCode, MistakeContext } from '#features/request-builder/mistakes/mistake.ts';
import { judge } from '#features/request-builder/mistakes/mistakes.ts';
import { signedMistakes } from '#features/request-builder/mistakes/signed.ts';
import type { RequestKind } from '#features/request-builder/request-kinds.ts';
import { readField, readTokens } from '#features/request-builder/send-draft.ts';
import { sendRequest } from '#features/request-builder/send-request.ts';
import { Signer } from '#features/request-builder/signer.ts';
import { TestService } from '../../client/test-service.ts';

const challenge = createHash('sha256').update('verifier').digest('base64url');

/** The viewer in the dialect of today's standards, and what sends its requests. */
async function openViewer({ hasKeys = false, usesNonce = false } = {}) {
	const service = new TestService();
	await service.control('PATCH', '/control/settings', { dialect: 'standard', dpop_nonce: usesNonce });
	const api = new ControlApi(service.baseUrl, service.fetchByOwner);
	const world = await service.world();
	const [viewer, other] = worldApplications(world, service.baseUrl);
	if (viewer === undefined || other === undefined) throw new Error('no demo application');
	const application = { ...viewer, hasKeys };
	if (hasKeys) await new Signer(api).registerKey(viewer.client_id);
	const drafts = forApplication(inDialect(newDrafts(application, 'a state'), 'standard'), application);
	const shared = { isStrict: true, usesPkce: false, accessToken: '', recordKind: undefined };
	const context: MistakeContext = { ...shared, application, other, usesNonce, drafts, world };
	const send = async (draft: RequestDraft, mistake?: MistakeCode, of = context) => {
		const { responses, entry, problem } = await sendRequest(
			{ api, fetch: service.fetch },
			mistake?.change(draft, of) ?? draft,
			mistake && { mistake, context: of },
			() => {}
		);
		if (problem !== undefined) throw new Error(problem);
		return { body: responses.at(-1)?.body ?? '', status: responses.at(-1)?.status, trace: entry?.trace ?? [] };
	};
	return { service, drafts, context, send };
}

type Situation = { readonly hasKeys?: boolean; readonly usesNonce?: boolean; readonly isBound?: boolean };
type Viewer = Awaited<ReturnType<typeof openViewer>>;

/** The requests with an access token of the client for itself, and a pushed request. */
async function withCredentials({ drafts, context, send }: Viewer, isBound: boolean) {
	const got = isBound ? set(drafts.client_credentials, 'DPoP', 'new') : drafts.client_credentials;
	const first = await send(got);
	const { access_token = '' } = readTokens(first.status === 400 ? (await send(got)).body : first.body);
	const scheme = isBound ? 'DPoP' : 'Bearer';
	const filled = setAll(drafts, { Authorization: `${scheme} ${access_token}`, ...(isBound && { DPoP: 'new' }) });
	return { filled, of: { ...context, isBound, accessToken: access_token } };
}

const ofKind = (kind: RequestKind) => signedMistakes.filter(({ kinds }) => kinds.includes(kind));

test.each<[RequestKind, Situation]>([
	['client_credentials', {}],
	['client_credentials', { usesNonce: true, isBound: true }],
	['client_credentials', { hasKeys: true }],
	['exchange', { hasKeys: true }],
	['pushed', {}],
	['pushed', { hasKeys: true }],
	['device_authorization', { hasKeys: true }],
	['character', {}],
	['character', { isBound: true }],
	['ratelimits', { isBound: true, usesNonce: true }]
])('mistakes of a request of the kind %s are judged as announced: %j', async (kind, situation) => {
	const viewer = await openViewer(situation);
	const { filled, of } = await withCredentials(viewer, situation.isBound === true);
	expect(ofKind(kind).length).toBeGreaterThan(0);
	for (const mistake of ofKind(kind)) {
		const { trace } = await viewer.send(filled[kind], mistake, of);
		const { isAsExpected, failed } = judge(mistake.expect(of), trace);
		expect(isAsExpected, `${mistake.id}: ${failed?.id} ${failed?.cause}`).toBe(true);
	}
});

test('mistakes of a token exchange are judged as announced', async () => {
	const viewer = await openViewer();
	const { service, context, send } = viewer;
	const verifier = 'a-code-verifier-of-43-characters-or-more-123';
	const code_challenge = createHash('sha256').update(verifier).digest('base64url');
	const drafts = setAll(viewer.drafts, { code_challenge, code_challenge_method: 'S256', code_verifier: verifier });
	const { urlOf } = await import('#features/request-builder/compose.ts');
	const code = (await service.approve(new URL(urlOf(drafts.authorization, service.baseUrl)))).get('code') ?? '';
	const { access_token = '' } = readTokens((await send(set(drafts.exchange, 'code', code))).body);
	const exchange = set(drafts.token_exchange, 'subject_token', access_token);
	expect((await send(exchange)).status).toBe(200);
	const of = { ...context, accessToken: access_token };
	for (const mistake of ofKind('token_exchange').filter(({ kinds }) => kinds.length === 1)) {
		const { trace } = await send(exchange, mistake, of);
		const { isAsExpected, failed } = judge(mistake.expect(of), trace);
		expect(isAsExpected, `${mistake.id}: ${failed?.id} ${failed?.cause}`).toBe(true);
	}
});

test('signs a new proof for each request, and sends the last one again', async () => {
	const { drafts: fresh, send } = await openViewer();
	const { body } = await send(set(fresh.client_credentials, 'DPoP', 'new'));
	const { access_token = '', isBound } = readTokens(body);
	expect(isBound, body).toBe(true);
	const drafts: Drafts = setAll(fresh, { Authorization: `DPoP ${access_token}`, DPoP: 'new' });
	expect((await send(drafts.character)).status).toBe(200);
	expect((await send(drafts.ratelimits)).status).toBe(200);
	const again = await send(set(drafts.ratelimits, 'DPoP', 'again'));
	expect(again.trace.find(({ outcome }) => outcome === 'failed')?.id).toBe('dpop.not_replayed');
	expect(inDialect(drafts, 'specification').character.parameters.map(({ name }) => name)).not.toContain('DPoP');
});

test('an application with keys signs assertions in place of its secret, in requests and in code', async () => {
	const { drafts, send, service } = await openViewer({ hasKeys: true });
	expect((await send(drafts.client_credentials)).status).toBe(200);
	const pushed = setAll(drafts, { code_challenge: challenge, code_challenge_method: 'S256' }).pushed;
	expect(readField((await send(pushed)).body, 'request_uri')).toMatch(/^urn:/);
	const { form = [] } = codeParts(drafts.client_credentials, service.baseUrl);
	expect(form.map(([name]) => name)).not.toContain('client_secret');
	expect(form.find(([name]) => name === 'client_assertion')?.[1]).toEqual([{ variable: 'CLIENT_ASSERTION' }]);
	expect(valueOf(drafts.client_credentials, 'client_assertion')).toBe('new');
});
