import * as v from 'valibot';
import { equal, lacks, matches, ok, defined } from '../assert.ts';
import { hostCase, storeCase, streamCase, testCase, type Case } from '../case.ts';
import { TestResponse } from '../response.ts';
import { Sandbox } from '../sandbox.ts';

const clock = v.object({ now: v.number(), offset: v.number() });

/** RM-02, RM-04 to RM-07: sandboxes, their clock and their log. */
export const sandboxCases: Case[] = [
	testCase('RM-02 sends 404 for an unknown sandbox, whatever its id looks like', async (at) => {
		const ids = [
			'unknown',
			'',
			'__proto__',
			'constructor',
			'root',
			'%00',
			'..',
			'%2e%2e',
			'A'.repeat(20),
			'A'.repeat(5000),
			flipped(at.id),
			at.id.slice(0, -1),
			`${at.id}x`,
			`${at.id}%20`,
			`${at.id}%E2%80%8B`,
			'%FF',
			'а'.repeat(1) + at.id
		].map((id) => (/[^\x20-\x7e]/.test(id) ? encodeURIComponent(id) : id));
		const texts = new Set<string>();
		for (const id of ids) {
			for (const path of ['/ws/oauth2/token/', '/control/sandbox', '/ratelimiting']) {
				const received = await at.transport.send({ target: `/~${id}${path}` });
				equal(received?.status, 404, `~${id.slice(0, 40)}${path}`);
				texts.add(received?.body ?? '');
			}
		}
		equal(texts.size, 1, 'one text for all');
		matches(at.id, /^[\w-]{14,}$/, 'at least 80 bits');
	}),
	hostCase('RM-02 explains an unknown sandbox to users on a page, and sends data to programs', async (at) => {
		const html = ['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8'];
		const ask = async (path: string, ...headers: string[]) => {
			const received = await at.transport.send({ target: `/~no-such-sandbox${path}`, headers });
			return new TestResponse(defined(received, path));
		};
		for (const path of ['/account', '/ws/oauth2/auth/?client_id=character-viewer']) {
			const page = await ask(path, ...html);
			equal([page.status, page.header('content-type')?.startsWith('text/html')], [404, true], path);
			matches(page.text, '<h1>Sandbox not found</h1>', path);
			matches(page.text, `href="${at.transport.origin}/"`, path);
			lacks(page.text, 'no-such-sandbox', path);
			equal((await ask(path, 'Accept', 'application/json')).error, 'not_found', path);
		}
		for (const path of ['/ws/v2.0/ratelimits', '/ws/oauth2/revoke', '/ratelimiting', '/control/sandbox', '/ws/x']) {
			const response = await ask(path, ...html);
			equal([response.status, response.error], [404, 'not_found'], path);
		}
	}),
	storeCase('RM-02 treats a deleted sandbox like an unknown one, also during a request', async (at) => {
		const other = await Sandbox.create(at.transport);
		const { access_token } = await other.user().tokens();
		await other.controlled('POST', 'faults', { endpoint: 'character', kind: 'delay', delay_ms: 100 });
		const late = other.character(access_token);
		await other.remove();
		ok([200, 401, 404].includes((await late).status), 'the call under way');
		const gone = await other.trySend({ target: '/control/sandbox', headers: ['X-Tollgate-Key', other.key] });
		equal(gone?.status, 404);
		equal((await other.character(access_token)).status, 404, 'no resurrection');
	}),
	streamCase(
		'RM-04 streams the redacted events of one sandbox, and resumes after the last one that a reader has seen',
		async (at) => {
			const other = await Sandbox.create(at.transport);
			try {
				const { refresh_token } = await at.user().offline();
				const stream = await at.stream('traffic/stream');
				equal(
					stream.headers.some((value) => value.startsWith('text/event-stream')),
					true
				);
				await other.user().offline();
				await at.get('/ws/v2.0/character/evil%0D%0A%1B%5B31mid:%2099?access_token=x');
				await at.refresh(refresh_token);
				let seen = '';
				while (seen.split('\ndata: ').length <= 2) seen += (await stream.next()) ?? '';
				stream.close();
				lacks(seen, refresh_token);
				lacks(seen, 'viewer-secret');
				lacks(seen, other.id);
				lacks(seen, '\u001b');
				lacks(seen, '\nid: 99');
				const [first = 0, second = 0] = [...seen.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
				equal(second, first + 1);
				const again = await at.stream('traffic/stream', 'Last-Event-ID', String(first));
				let rest = '';
				while (rest.split('\ndata: ').length <= 1) rest += (await again.next()) ?? '';
				again.close();
				equal(
					[...rest.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
					[second]
				);
			} finally {
				await other.remove();
			}
		}
	),
	streamCase('RM-07 ends the live stream when the sandbox is deleted', async (at) => {
		const other = await Sandbox.create(at.transport);
		const stream = await other.stream('traffic/stream');
		matches(await stream.next(), /^: /);
		await other.get('/ratelimiting');
		matches(await stream.next(), /^id: 1\n/);
		await other.remove();
		equal(await stream.next(), 'event: deleted\ndata: {}\n\n');
		equal(await stream.next(), undefined, 'the end');
		stream.close();
	}),
	storeCase('RM-04 pages through the log and clears it', async (at) => {
		const entries = v.object({ entries: v.array(v.object({ seq: v.number() })) });
		for (let call = 0; call < 5; call++) await at.get('/ratelimiting');
		const read = async (query: string) => (await at.controlled('GET', `traffic${query}`)).as(entries).entries;
		const all = (await read('')).map((entry) => entry.seq);
		equal(all.length, 5);
		equal(
			(await read(`?after=${all[1] ?? 0}&limit=2`)).map((entry) => entry.seq),
			all.slice(2, 4)
		);
		await at.controlled('DELETE', 'traffic');
		equal(await read(''), []);
		for (const wrong of ['?after=-1', '?limit=x', '?after=1e9', `?after=${'9'.repeat(30)}`]) {
			equal((await at.control('GET', `traffic${wrong}`)).status, 400, wrong);
		}
		equal((await at.control('GET', 'traffic/nothing')).status, 404);
	}),
	storeCase('RM-06 does not move the clock for invalid input', async (at) => {
		const before = (await at.control('GET', 'clock')).as(clock);
		const wrong = [
			{ advance: -1 },
			{ advance: 1e18 },
			{ advance: 0.5 },
			{ advance: '60' },
			{ advance: null },
			{},
			{ to: 0 },
			{ to: -1 },
			{ to: 1e18 },
			{ advance: 1, to: 2 },
			{ offset: 5 }
		];
		for (const change of wrong) equal((await at.control('POST', 'clock', change)).status, 400, JSON.stringify(change));
		equal((await at.control('GET', 'clock')).as(clock).offset, before.offset);
	}),
	storeCase('RM-06 moves the clock of one sandbox by an hour or a century, and ends no session', async (at) => {
		const other = await Sandbox.create(at.transport);
		try {
			const user = at.user();
			await user.signIn();
			const { refresh_token } = await user.offline();
			await at.advance(3600);
			const { now, offset } = (await at.control('GET', 'clock')).as(clock);
			equal(offset, 3_600_000);
			const to = Math.floor(now / 1000) + 500;
			const moved = (await at.controlled('POST', 'clock', { to })).as(clock);
			ok(Math.abs(moved.now - to * 1000) < 60_000, 'to an instant');
			await at.advance(100 * 365 * 24 * 3600);
			equal((await at.refresh(refresh_token)).status, 200, 'a refresh token has no end');
			equal(
				(await at.refresh((await user.offline(await at.register('web', ['https://x.example/']))).refresh_token)).error,
				'invalid_grant'
			);
			lacks((await user.open('/account')).text, 'name="password"', 'still signed in');
			equal((await other.control('GET', 'clock')).as(clock).offset, 0);
		} finally {
			await other.remove();
		}
	}),
	storeCase(
		'RM-06 keeps used, revoked and expired credentials invalid while requests and the clock continue',
		async (at) => {
			const user = at.user();
			const { refresh_token, access_token } = await user.offline();
			const calls = Array.from({ length: 20 }, (_, call) =>
				call % 5 === 0 ? at.advance(1000) : at.character(access_token)
			);
			await Promise.all(calls);
			equal((await at.character(access_token)).status, 401);
			await at.revoke(refresh_token);
			await at.advance(1_000_000);
			equal((await at.refresh(refresh_token)).error, 'invalid_grant');
		}
	),
	storeCase('RM-07 resets everything except the key', async (at) => {
		const app = await at.register('web', ['https://x.example/']);
		const { refresh_token, access_token } = await at.user().offline();
		await at.advance(5000);
		await at.changeSettings({ limits: { character: 1 }, strict: false });
		await at.controlled('POST', 'reset');
		const { offset } = (await at.controlled('GET', 'clock')).as(clock);
		equal(offset, 0);
		equal((await at.refresh(refresh_token)).error, 'invalid_grant');
		equal((await at.character(access_token)).status, 401);
		equal((await at.refresh(refresh_token, app)).error, 'invalid_client');
		equal((await at.user().tokens()).expires_in, 3920);
	}),
	storeCase(
		'RM-01 keeps the blacklist and quotas of one sandbox apart from other sandboxes and the root',
		async (at) => {
			const other = await Sandbox.create(at.transport);
			try {
				await other.changeSettings({ limits: { character: 0, blacklist_after_refused: 1 } });
				await other.get('/ws/v2.0/character/x');
				equal(await other.trySend({ target: '/ws/v2.0/character/x' }), undefined);
				equal((await at.get('/ws/v2.0/character/x')).limit.remaining, 599);
				const root = defined(await at.transport.send({ target: '/ws/v2.0/ratelimits' }), 'the root sandbox');
				equal(new TestResponse(root).status, 401);
			} finally {
				await other.remove();
			}
		}
	)
];

function flipped(id: string): string {
	return id.replace(/[a-z]/gi, (letter) =>
		letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
	);
}
