import { expect, test } from 'vitest';
import { worldApplications } from '#features/request-builder/application.ts';
import type { RequestKind } from '#features/request-builder/request-kinds.ts';
import { newDrafts, setAll } from '#features/request-builder/drafts.ts';
import { missingValue } from '#features/request-builder/missing-value.ts';
import { demoWorld } from '../../client/demo-world.ts';

const [application] = worldApplications(demoWorld, 'https://service.test');
if (application === undefined) throw new Error('no demo application');
const drafts = newDrafts(application, 'a state');

test.each<[kind: RequestKind, from: RequestKind | undefined]>([
	['authorization', undefined],
	['exchange', 'authorization'],
	['refresh', 'authorization'],
	['character', 'exchange'],
	['ratelimits', 'exchange'],
	['revoke', 'authorization'],
	['token_exchange', 'exchange']
])('of %s, the missing value comes from %s', (kind, from) => {
	expect(missingValue(drafts[kind])?.from).toBe(from);
});

test('nothing is missing once the credentials are there, apart from a secret that is not known', () => {
	const filled = setAll(drafts, {
		code: 'x',
		refresh_token: 'x',
		token: 'x',
		subject_token: 'x',
		Authorization: 'OAuth x',
		device_code: 'x',
		record_id: 'x'
	});
	for (const draft of Object.values(filled)) expect(missingValue(draft)).toBeUndefined();
	expect(missingValue(setAll(filled, { client_secret: '' }).refresh)?.text).toContain('client_secret is empty');
});
