import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { DialectName } from '#api/dialect.ts';
import { grants } from '#api/protocol/grant-types.ts';
import { trafficEntry } from '#api/control/traffic.ts';
import { worldApplications } from '#features/request-builder/application.ts';
import { urlOf } from '#features/request-builder/compose.ts';
import { set, type RequestDraft } from '#features/request-builder/draft.ts';
import { isRecordRequest, kindRows, type RequestKind } from '#features/request-builder/request-kinds.ts';
import { forKind, newDrafts, setAll, type Drafts } from '#features/request-builder/drafts.ts';
import { judge, mistakes, mistakesOf } from '#features/request-builder/mistakes/mistakes.ts';
import { signedMistakes } from '#features/request-builder/mistakes/signed.ts';
import type { Mistake, MistakeContext } from '#features/request-builder/mistakes/mistake.ts';
import { preparations } from '#features/request-builder/mistakes/preparations.ts';
import { readField, readTokens, sendDraft } from '#features/request-builder/send-draft.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { worldWithKinds } from '../../conformance/kinds.ts';
import { TestService } from '../../client/test-service.ts';

type Situation = {
	readonly title: string;
	readonly client: 'character-viewer' | 'pocket-companion';
	readonly isStrict: boolean;
	readonly usesPkce: boolean;
	/** Default: the specification. */
	readonly dialect?: DialectName;
};

const situations: readonly Situation[] = [
	{ title: 'web', client: 'character-viewer', isStrict: true, usesPkce: true },
	{ title: 'web without PKCE', client: 'character-viewer', isStrict: true, usesPkce: false },
	{ title: 'web, not strict', client: 'character-viewer', isStrict: false, usesPkce: true },
	{ title: 'installed', client: 'pocket-companion', isStrict: true, usesPkce: true },
	{ title: 'today’s standards', client: 'character-viewer', isStrict: true, usesPkce: true, dialect: 'standard' }
];
const code_verifier = 'a-code-verifier-of-43-characters-or-more-123';
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');

/** Those of `signed.test.ts` are signed when they are sent. */
const unsigned = mistakes.filter(({ id }) => !signedMistakes.some((signed) => signed.id === id));
const cases = unsigned.flatMap((mistake) =>
	mistake.kinds.flatMap((kind) =>
		situations
			.filter(({ dialect = 'specification' }) => (kindRows[kind].dialect ?? 'specification') === dialect)
			.filter(({ dialect = 'specification' }) => mistakesOf(kind, dialect).includes(mistake))
			// Their rows are those of the character, in every situation.
			.filter(({ title }) => !isRecordRequest(kind) || title === 'web')
			.map((situation) => [`${kind}: ${mistake.label} (${situation.title})`, mistake, kind, situation] as const)
	)
);

test.each(cases)('%s', async (_, mistake, kind, situation) => {
	const service = new TestService(undefined, isRecordRequest(kind) ? worldWithKinds : undefined);
	const { isStrict: strict, dialect = 'specification' } = situation;
	await service.control('PATCH', '/control/settings', { strict, dialect });
	const { context, drafts } = await prepare(service, kind, situation);
	const expected = mistake.expect(context);
	const { failed, isAsExpected } = judge(expected, (await send(service, mistake, kind, context, drafts)).trace);
	expect(isAsExpected, `${failed?.id ?? 'nothing'} failed (${failed?.cause ?? 'no cause'})`).toBe(true);
	expect(failed === undefined).toBe('why' in expected);
});

test('an expired access token needs no sign-in before, and can be sent again', async () => {
	const service = new TestService();
	const mistake = mistakes.find(({ id }) => id === 'expired_token');
	const [situation] = situations;
	if (mistake === undefined || situation === undefined) throw new Error('no mistake');
	for (const { context, drafts } of [
		await prepare(service, 'authorization', situation),
		await prepare(service, 'character', situation)
	])
		// The token of the second request has ended already.
		for (let times = 0; times < 2; times += 1) {
			const { trace } = await send(service, mistake, 'character', context, drafts);
			expect(judge(mistake.expect(context), trace).isAsExpected).toBe(true);
		}
});

test('the mistakes of a kind have different ids', () => {
	const names = mistakes.flatMap(({ id, kinds }) => kinds.map((kind) => `${kind} ${id}`));
	expect(new Set(names).size).toBe(names.length);
});

/** Drafts that the service accepts, with the credentials that the kind needs. */
async function prepare(service: TestService, kind: RequestKind, { client, isStrict, usesPkce }: Situation) {
	const world = await service.world();
	const [recordKind] = world.kinds ?? [];
	const all = worldApplications(world, service.baseUrl);
	const [application, other] = [
		all.find((one) => one.client_id === client),
		all.find((one) => one.client_id !== client)
	];
	if (application === undefined || other === undefined) throw new Error('no demo application');
	let drafts = newDrafts(application, 'a state');
	if (recordKind !== undefined) drafts = setAll(forKind(drafts, recordKind), { scope: 'payments_read payments_write' });
	let context: MistakeContext = {
		...{ application, other, isStrict, usesPkce, accessToken: '', drafts, world, recordKind }
	};
	if (kind === 'authorization' || grants.some((grant) => grant.kind === kind && grant.isForClient === true))
		return { context, drafts };
	if (application.kind === 'web') drafts = setAll(drafts, { access_type: 'offline' });
	else drafts = { ...drafts, exchange: set(drafts.exchange, 'access_type', 'offline') };
	if (usesPkce) drafts = setAll(drafts, { code_challenge, code_challenge_method: 'S256', code_verifier });
	const url = new URL(urlOf(drafts.authorization, service.baseUrl));
	const code =
		application.kind === 'web' ? ((await service.approve(url)).get('code') ?? '') : await service.approveOutOfBand(url);
	if (application.kind === 'web') drafts = { ...drafts, exchange: set(drafts.exchange, 'access_type', undefined) };
	drafts = setAll(drafts, { code });
	if (kind === 'exchange') return { context, drafts };
	const { access_token = '', refresh_token = '' } = readTokens(
		(await sendDraft(drafts.exchange, service.baseUrl, service.fetch)).body
	);
	drafts = setAll(drafts, { refresh_token, token: refresh_token, Authorization: `OAuth ${access_token}` });
	context = { ...context, accessToken: access_token };
	if (kind === 'record') {
		const { body } = await sendDraft(drafts.records, service.baseUrl, service.fetch);
		drafts = setAll(drafts, { record_id: readField(body, 'id') ?? '' });
	}
	return { context, drafts };
}

async function send(
	service: TestService,
	mistake: Mistake,
	kind: RequestKind,
	context: MistakeContext,
	drafts: Drafts
) {
	const environment = {
		api: new ControlApi(service.baseUrl, service.fetchByOwner),
		send: (draft: RequestDraft) => sendDraft(draft, service.baseUrl, service.fetch)
	};
	const changed = mistake.change(drafts[kind], context);
	const before = mistake.before && preparations[mistake.before];
	const draft = (await before?.prepare(environment, changed, context)) ?? changed;
	let requestId: string | undefined;
	for (let times = mistake.times ?? 1; times > 0; times -= 1) {
		({ requestId } = await sendDraft(draft, service.baseUrl, service.fetch));
	}
	return v.parse(trafficEntry, await service.control('GET', `/control/traffic/${requestId}`));
}
