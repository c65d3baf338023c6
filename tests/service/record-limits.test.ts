import { describe, expect, it } from 'vitest';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { defaultAttempts } from '#service/core/quotas.ts';
import { rootSandbox } from '#service/core/target.ts';
import { createMemoryStore } from '#store/memory.ts';
import { isComplete } from '#store/store.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import { ProofKey } from '../conformance/dpop.ts';
import { askForCodes, basic, openPushed, pollDevice, push, requestUriOf } from '../conformance/standard.ts';
import { createFrom, file, limitsOf, register, shareOf } from './record-requests.ts';
import { createTestService, type TestService } from './test-service.ts';

/** How many records of each kind a sandbox of these tests has, where clients without its key create them. */
const most = 30;

/** A public server, and one of its sandboxes that many know. */
type Setting = { readonly tested: TestService; readonly at: Sandbox };

const hostile = '10.6.6.6';
/** What one address does that others must not notice. */
type Experiment = {
	/** Creates a record as an honest client does, and returns whether it still works. */
	readonly create: (setting: Setting, address: string) => Promise<() => Promise<boolean>>;
	/** Creates more records than there can be, as one hostile address. */
	readonly flood: (setting: Setting) => Promise<unknown>;
};

const ownerOnly = 'Only the owner of the sandbox creates them.';
const operatorOnly = 'Only the operator of a public server creates them.';
const bySignIn = { create: signedIn, flood: floodSignIns } as const;

/** Each kind of record: what one hostile client cannot do, by experiment, or why no client without a key creates one. A kind without a row is a type error. */
const kinds: Readonly<Record<keyof Records, Experiment | string>> = {
	state: ownerOnly,
	share: ownerOnly,
	world: ownerOnly,
	account: ownerOnly,
	permission: ownerOnly,
	character: ownerOnly,
	record_list: 'Each account fills its own list: see RS-08.',
	signing_key: 'There is one record of each sandbox.',
	class: operatorOnly,
	class_lessons: 'Only those who open a class send lesson files, at most 5 of 48 KiB.',
	seat_program: 'One for each seat, by its key.',
	seat: 'Used seats are kept, and unused ones are free after five minutes: see class/free-seats.test.ts.',
	application: {
		create: async ({ at }, address) => {
			const from = at.from(address);
			const client_id = await register(from);
			return async () => (await at.controlled('GET', 'applications')).text.includes(client_id);
		},
		flood: ({ at }) => repeat(60, () => register(at.from(hostile)).catch(() => undefined))
	},
	grant: bySignIn,
	token_family: bySignIn,
	code: bySignIn,
	refresh_token: {
		create: async ({ at }, address) => {
			const from = at.from(address);
			// A grant issues its first refresh token only.
			const user = from.user(address === '10.0.0.7' ? 'player-one' : 'player-two');
			const { refresh_token } = await user.offline();
			return async () => (await from.refresh(refresh_token)).status === 200;
		},
		flood: floodSignIns
	},
	access_token: {
		create: signedIn,
		flood: async ({ at }) => {
			const attacker = at.from(hostile);
			const { refresh_token } = await attacker.user('player-three').offline();
			await repeat(most * 3, async () => expect((await attacker.refresh(refresh_token)).status).toBe(200));
		}
	},
	pending_authorization: {
		create: async ({ at }, address) => {
			const from = at.from(address);
			const user = from.user();
			const page = await user.authorize();
			return async () => (await user.signInOn(page)).text.includes('value="approve"');
		},
		flood: ({ at }) =>
			repeat(most * 2, (count) =>
				at
					.from(hostile)
					.user()
					.authorize(undefined, { state: 'x'.repeat(count % 2 ? 4000 : 1) })
			)
	},
	device_authorization: {
		create: async ({ at }, address) => {
			await at.changeSettings({ dialect: 'standard' });
			const codes = await askForCodes(at.from(address));
			return async () => (await pollDevice(at, codes)).error === 'authorization_pending';
		},
		flood: ({ at }) => repeat(most * 2, () => askForCodes(at.from(hostile)))
	},
	dpop_proof: {
		create: async ({ at }, address) => {
			const key = await ProofKey.create();
			await at.changeSettings({ dialect: 'standard' });
			const proof = await key.proof(at, 'POST', '/ws/oauth2/token/');
			const use = () =>
				at.from(address).token({ grant_type: 'client_credentials' }, ...basic(at.viewer), 'DPoP', proof);
			expect((await use()).status).toBe(200);
			return async () => (await use()).error === 'invalid_dpop_proof';
		},
		flood: async ({ at }) => {
			const key = await ProofKey.create();
			const from = at.from(hostile);
			await repeat(most * 2, () => key.token(from, { grant_type: 'client_credentials' }, {}, ...basic(at.viewer)));
		}
	},
	used_assertions: 'One record for each application with keys, which only the owner of the sandbox registers.',
	client_document: ownerOnly,
	pushed_request: {
		create: async ({ at }, address) => {
			await at.changeSettings({ dialect: 'standard' });
			const pushed = await push(at.from(address));
			return async () => (await openPushed(at.user(), requestUriOf(pushed))).status === 303;
		},
		flood: ({ at }) => repeat(most * 2, (count) => push(at.from(hostile), { state: 'x'.repeat(count % 2 ? 4000 : 1) }))
	},
	browser_session: {
		create: async ({ at }, address) => {
			const from = at.from(address);
			const user = from.user();
			await user.signIn();
			return async () => (await user.open('/account')).text.includes('Signed in as');
		},
		flood: ({ at }) => repeat(most * 2, () => at.from(hostile).user('player-three').signIn())
	},
	rate_limit_window: {
		create: async ({ at }, address) => {
			const from = at.from(address);
			await at.changeSettings({ limits: { character: 5 } });
			const { access_token } = await from.user().tokens();
			await from.character(access_token);
			return async () => (await from.character(access_token)).limit.remaining === 3;
		},
		flood: floodAddresses
	},
	blacklist_entry: {
		create: async ({ at }, address) => {
			const from = at.from(address);
			await at.changeSettings({ limits: { ratelimits: 0, blacklist_after_refused: 1 } });
			const { access_token } = await from.user().tokens();
			await limitsOf(from, access_token);
			return async () => (await at.controlled('GET', 'blacklist')).text.includes(`"address":"${address}"`);
		},
		flood: floodAddresses
	},
	ticket: {
		create: async ({ at }, address) => {
			const from = at.from(address);
			expect(await file(from)).toBe(201);
			return async () => (await at.controlled('GET', 'tickets')).text.includes(`"address":"${address}"`);
		},
		flood: ({ at }) => repeat(most * 2, () => file(at.from(hostile)))
	},
	failed_attempts: {
		create: async ({ at }, address) => {
			const from = at.from(address);
			await repeat(10, () => from.user().signIn('wrong'));
			// The right password is rejected, too: the wrong ones still count.
			return async () => (await from.user().signIn()).status === 429;
		},
		flood: ({ at }) => repeat(most * 2, (count) => at.from(hostile).user(`player-${count}`).signIn('wrong'))
	},
	sandbox: {
		create: async ({ tested }, address) => {
			const made = await createFrom(tested, address);
			return async () => (await made.get('/ratelimiting')).status !== 404;
		},
		flood: ({ tested }) => repeat(most * 3, () => createFrom(tested, hostile).catch(() => undefined))
	},
	share_place: {
		create: async ({ tested }, address) => {
			const made = await createFrom(tested, address);
			const { url }: { url: string } = JSON.parse((await shareOf(made)).text);
			return async () => (await Sandbox.create(tested.transport, { share: url.replace(/.*=/, '') })).id !== '';
		},
		flood: async ({ tested }) => {
			const made = await Promise.all(Array.from({ length: 11 }, () => createFrom(tested, hostile)));
			await repeat(20, () => Promise.all(made.map((one) => shareOf(one))));
		}
	}
};

describe('RM-05 RL-05 one address that floods a server loses its own records, not those of others:', () => {
	for (const [kind, row] of Object.entries(kinds)) {
		if (typeof row === 'string') continue;
		it(kind, async () => {
			const setting = await publicServer();
			const isKept = await row.create(setting, '10.0.0.7');
			await row.flood(setting);
			expect(await isKept(), 'the honest record').toBe(true);
			const newcomer = await row.create(setting, '10.0.0.8');
			expect(await newcomer(), 'a record of another address').toBe(true);
		});
	}

	it('has a row for each kind of record', () => {
		expect(Object.keys(kinds).sort()).toEqual(Object.keys(recordLimits).sort());
	});
});

it('stores say of a record of any kind that it is damaged, where it has not the fields of its kind', async () => {
	const isKind = (name: string): name is keyof Records => name in recordLimits;
	const all = Object.keys(recordLimits).filter(isKind);
	expect(all.filter((kind) => recordLimits[kind].required === undefined)).toEqual([]);
	// And of no record that the service writes.
	const clocks = { sandbox: () => 0, real: () => 0 };
	const written = new Set<string>();
	for (const row of Object.values(kinds)) {
		if (typeof row === 'string') continue;
		const setting = await publicServer();
		await row.create(setting, '10.0.0.7');
		for (const sandbox of [rootSandbox, setting.at.id])
			for (const kind of all)
				for (const [, record] of await setting.tested.store.forSandbox(sandbox, clocks).list(kind)) {
					written.add(kind);
					expect(isComplete(record, recordLimits[kind].required), `${kind} ${JSON.stringify(record)}`).toBe(true);
				}
	}
	const operatorKinds = [
		'share',
		'world',
		'class',
		'seat',
		'seat_program',
		'class_lessons',
		'record_list',
		'signing_key',
		'used_assertions',
		'client_document'
	];
	expect(all.filter((kind) => !written.has(kind))).toEqual(operatorKinds);
});

async function publicServer(): Promise<Setting> {
	const limits = { ...recordLimits };
	for (const [kind, row] of Object.entries(kinds)) {
		// Sandboxes, links and applications have limits of their own.
		const isSmall = typeof row !== 'string' && !['sandbox', 'share_place', 'application', 'account'].includes(kind);
		if (isSmall) Object.assign(limits, { [kind]: { ...Reflect.get(limits, kind), maxPerSandbox: most } });
	}
	const tested = createTestService({
		adminKey: 'the admin key',
		store: createMemoryStore<Records>(limits),
		// As in a sandbox: a quarter of all proofs.
		quotas: { attempts: { ...defaultAttempts, dpop_proof: Math.floor(most / 4) } }
	});
	const at = await tested.sandbox();
	return { tested, at };
}

async function repeat(times: number, action: (count: number) => Promise<unknown>): Promise<void> {
	for (let count = 0; count < times; count++) await action(count);
}

/** A code and an access token. */
async function signedIn({ at }: Setting, address: string): Promise<() => Promise<boolean>> {
	const user = at.from(address).user();
	const { access_token } = await user.tokens();
	const code = await user.code();
	return async () =>
		(await limitsOf(user.at, access_token)).status === 200 && (await user.at.exchange(code)).status === 200;
}

async function floodSignIns({ at }: Setting): Promise<void> {
	const user = at.from(hostile).user('player-three');
	await repeat(most * 2, () => user.tokens(at.viewer, { access_type: 'offline' }));
	await repeat(most * 2, () => user.code());
}

/** Requests from one client as many virtual addresses. */
async function floodAddresses({ at }: Setting): Promise<void> {
	const attacker = at.from(hostile);
	const { access_token } = await attacker.user('player-three').tokens();
	await repeat(most * 2, async (count) => {
		const address = ['X-Tollgate-Address', `192.0.2.${count}`];
		await attacker.character(access_token, 'Mara Vell', ...address);
		await limitsOf(attacker, access_token, ...address);
	});
}
