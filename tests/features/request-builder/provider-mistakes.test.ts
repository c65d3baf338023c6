import * as v from 'valibot';
import { expect, test } from 'vitest';
import { trafficEntry } from '#api/control/traffic.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { providerList } from '#features/providers/provider-files.ts';
import type { RequestKind } from '#features/request-builder/request-kinds.ts';
import { judge } from '#features/request-builder/mistakes/mistakes.ts';
import { preparations } from '#features/request-builder/mistakes/preparations.ts';
import type { RequestDraft } from '#features/request-builder/draft.ts';
import { sendDraft } from '#features/request-builder/send-draft.ts';
import { Tab } from './builder-tab.ts';

const kinds = ['authorization', 'exchange', 'character'] as const satisfies readonly RequestKind[];

test.each(providerList.slice(2).map(({ name }) => name))('%s rejects each mistake that is offered', async (name) => {
	const tab = new Tab();
	const { service } = tab;
	const api = new ControlApi(service.baseUrl, (url, init) => service.fetchByOwner(url, init));
	await api.request('PATCH /control/settings', { body: { dialect: name } });
	// A browser has a User-Agent.
	const send = (draft: RequestDraft) =>
		sendDraft(draft, service.baseUrl, (url, init) => {
			const headers = new Headers(init.headers);
			headers.set('user-agent', 'browser');
			return service.fetch(url, { ...init, headers });
		});
	const builder = await tab.open();
	let count = 0;
	for (const kind of kinds)
		for (const mistake of builder.offered(kind)) {
			builder.choose('authorization');
			if (kind !== 'authorization' && mistake.id !== 'missing_token') await tab.authorize(builder);
			if (mistake.id === 'expired_token') {
				builder.choose('exchange');
				await builder.send();
			}
			builder.chooseMistake(kind, mistake.id);
			const { context } = builder;
			const before = mistake.before && preparations[mistake.before];
			const draft = (await before?.prepare({ api, send }, builder.draft, context)) ?? builder.draft;
			let requestId: string | undefined;
			for (let times = mistake.times ?? 1; times > 0; times -= 1) ({ requestId } = await send(draft));
			const { trace } = v.parse(trafficEntry, await service.control('GET', `/control/traffic/${requestId ?? ''}`));
			const { isAsExpected, failed } = judge(mistake.expect(context), trace);
			expect(isAsExpected, `${mistake.id}: ${failed?.id ?? 'nothing'} failed`).toBe(true);
			count += 1;
		}
	expect(count).toBeGreaterThan(5);
});
