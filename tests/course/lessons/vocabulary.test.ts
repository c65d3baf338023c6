import { afterEach, expect, it, vi } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { observation, type Observation } from '#evidence/lesson-file/observations.ts';
import type { LessonContent } from '#evidence/lesson-file/product-lesson.ts';
import { judgeOf } from '#evidence/lesson-file/relate-observations.ts';
import { allLessons, loadContent, loadScript } from '#course/lessons/all-lessons.ts';
import { codeIn, type CodeModule } from '#course/lessons/code-parts.ts';
import { compileLesson } from '#course/lessons/file/compile-lesson.ts';
import { pocketCompanion } from '#client/demo-clients.ts';
import { askForCodes, decide } from './scripts/device-codes.ts';
import { exchangeTwice, signInTwice, speakLike } from './scripts/same-client.ts';
import { exchangeToken, userToken, wide } from './scripts/token-exchange.ts';
import type { Script, ScriptedClient } from '#course/lessons/scripted-client.ts';
import { orNoResponse } from '#course/lessons/scripted-client.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { checkLessonFile } from '#evidence/lesson-file/check-lesson-file.ts';
import { openLesson } from './lesson-sandbox.ts';

afterEach(() => vi.unstubAllGlobals());

const offline = { access_type: 'offline' };
const read = async (client: ScriptedClient, times: number) => {
	const token = (await client.signIn()).field('access_token');
	for (let call = 0; call < times; call++) await client.character(token);
};
const scriptOf =
	(id: string): Script =>
	async (client) =>
		(await loadScript(id))?.(client);
const limits = { character: 5, blacklist_after_refused: 3 };

/** For each kind: what shows it, and what comes close. */
const cases: readonly (readonly [wanted: Observation, shows: Script, near: Script])[] = [
	[
		{ kind: 'code_issued' },
		(client) => client.code().then(),
		(client) => client.authorize({ client_id: 'unknown' }).then()
	],
	[
		{ kind: 'code_issued', pkce: true },
		async (client) => {
			const { code_challenge } = await client.pkce();
			await client.code({ code_challenge, code_challenge_method: 'S256' });
		},
		(client) => client.code().then()
	],
	[
		{ kind: 'code_issued', scope: 'location_read' },
		(client) => client.code({ scope: 'location_read' }).then(),
		(client) => client.code().then()
	],
	[
		{ kind: 'consent_denied' },
		(client) => client.authorize({}, client.viewer, { decision: 'deny' }).then(),
		(client) => client.code().then()
	],
	[{ kind: 'code_exchanged' }, (client) => client.signIn().then(), (client) => client.exchange('A'.repeat(43)).then()],
	[
		{ kind: 'code_exchanged', pkce: true },
		async (client) => {
			const { code_challenge, code_verifier } = await client.pkce();
			const code = await client.code({ code_challenge, code_challenge_method: 'S256' });
			await client.exchange(code, client.viewer, { code_verifier });
		},
		(client) => client.signIn().then()
	],
	[
		{ kind: 'code_exchanged', refresh_token: true },
		(client) => client.signIn(offline).then(),
		(client) => client.signIn().then()
	],
	[
		{ kind: 'code_replayed' },
		async (client) => {
			const code = await client.code();
			await client.exchange(code);
			await client.exchange(code);
		},
		async (client) => {
			await client.signIn();
			await client.signIn();
		}
	],
	[{ kind: 'refresh_token_issued' }, (client) => client.signIn(offline).then(), (client) => client.signIn().then()],
	[
		{ kind: 'token_refreshed' },
		async (client) => void (await client.refresh((await client.signIn(offline)).field('refresh_token'))),
		(client) => client.refresh('A'.repeat(43)).then()
	],
	[
		{ kind: 'token_request', grant: 'refresh_token' },
		(client) => client.refresh('A').then(),
		(client) => client.signIn().then()
	],
	[
		{ kind: 'token_rejected' },
		(client) => client.character('A'.repeat(43)).then(),
		async (client) => void (await client.character((await client.signIn()).field('access_token')))
	],
	[
		{ kind: 'token_rejected', reason: 'revoked' },
		async (client) => {
			const tokens = await client.signIn(offline);
			await client.revoke(tokens.field('refresh_token'));
			await client.character(tokens.field('access_token'));
		},
		(client) => client.character('A'.repeat(43)).then()
	],
	[
		{ kind: 'access_revoked', by: 'application' },
		async (client) => void (await client.revoke((await client.signIn(offline)).field('refresh_token'))),
		(client) => client.revoke('A'.repeat(43)).then()
	],
	[
		{ kind: 'resource_read', resource: 'ratelimits' },
		async (client) => void (await client.rateLimits((await client.signIn()).field('access_token'))),
		(client) => read(client, 1)
	],
	[
		{ kind: 'resource_read', token_in: 'header' },
		(client) => read(client, 1),
		(client) => client.character('A').then()
	],
	[{ kind: 'requests_accepted', count: 5 }, (client) => read(client, 5), (client) => read(client, 4)],
	[{ kind: 'limit_exceeded' }, (client) => read(client, 6), (client) => read(client, 5)],
	[
		{ kind: 'error_seen', error: 'invalid_grant', endpoint: 'token' },
		(client) => client.exchange('A'.repeat(43)).then(),
		(client) => client.exchange('A'.repeat(43), { ...client.viewer, client_secret: 'wrong' }).then()
	],
	[
		{ kind: 'error_overcome', error: 'invalid_grant' },
		async (client) => {
			await client.exchange('A'.repeat(43));
			await client.signIn();
		},
		async (client) => {
			await client.signIn();
			await client.exchange('A'.repeat(43));
		}
	],
	[
		{ kind: 'code_issued', min_scopes: 2 },
		(client) => client.code({ scope: 'character_read location_read' }).then(),
		(client) => client.code().then()
	],
	[
		{ kind: 'code_issued', covers: 'less_than_granted' },
		async (client) => {
			await client.code();
			await client.code({ scope: 'location_read' });
		},
		async (client) => {
			await client.code();
			await client.code();
		}
	],
	[
		{ kind: 'code_exchanged', covers: 'more_than_requested' },
		async (client) => {
			await client.signIn();
			await client.signIn({ scope: 'location_read', renew_previously_granted: 'yes' });
		},
		async (client) => {
			await client.signIn();
			await client.signIn({ scope: 'location_read' });
		}
	],
	[
		{ kind: 'code_exchanged', access: 'offline', max_scopes: 1 },
		(client) => client.signIn(offline).then(),
		(client) => client.signIn({ ...offline, scope: 'character_read location_read' }).then()
	],
	[
		{ kind: 'code_exchanged', redirect: 'out_of_band' },
		(client) => client.signIn({}, client.companion).then(),
		(client) => client.signIn({}, pocketCompanion('http://localhost:50123')).then()
	],
	[
		{ kind: 'token_request', grant: 'code', pkce: false, redirect: 'localhost' },
		(client) => client.signIn({}, pocketCompanion('http://localhost:50123')).then(),
		(client) => client.signIn({}, client.companion).then()
	],
	[
		{ kind: 'token_issued', grant: 'client_credentials', passed: ['dpop.not_replayed'] },
		scriptOf('bound-token'),
		scriptOf('signed-client')
	],
	[
		{ kind: 'token_issued', grant: 'token_exchange', narrower: true },
		scriptOf('token-exchange'),
		async (client) => void (await exchangeToken(client, await userToken(client), wide))
	],
	[
		{ kind: 'device_allowed' },
		scriptOf('device-codes'),
		async (client) => decide(client, await askForCodes(client), 'deny')
	],
	[
		{ kind: 'resource_read', limit: 5, remaining: 3, takes: 1 },
		(client) => read(client, 2),
		(client) => read(client, 1)
	],
	[{ kind: 'limit_exceeded', has_left: false, takes: 0 }, (client) => read(client, 6), (client) => read(client, 5)],
	[
		{ kind: 'limit_exceeded', resource: 'character', algorithm: 'fixed_window' },
		(client) => read(client, 6),
		(client) => read(client, 5)
	],
	[
		{ kind: 'check_passed', checks: ['token.code_not_used'] },
		(client) => client.signIn().then(),
		(client) => client.exchange('A'.repeat(43)).then()
	],
	[
		{ kind: 'check_passed', checks: ['provider.error_status'], error: 'bad_verification_code' },
		async (client) => void (await exchangeTwice(client)),
		async (client) => {
			await speakLike(client, 'slack');
			await client.exchange('A'.repeat(43));
		}
	],
	[
		{ kind: 'code_exchanged', refresh_token: false, passed: ['provider.refresh_token_due'] },
		async (client) => void (await signInTwice(client)),
		(client) => client.signIn().then()
	],
	[
		{ kind: 'check_failed', checks: ['token.code_verifier_matches'], causes: ['missing_verifier'], sends: ['code'] },
		async (client) => {
			const { code_challenge } = await client.pkce();
			const code = await client.code({ code_challenge, code_challenge_method: 'S256' });
			await client.exchange(code);
		},
		async (client) => {
			const { code_challenge } = await client.pkce();
			const code = await client.code({ code_challenge, code_challenge_method: 'S256' });
			await client.exchange(code, client.viewer, { code_verifier: 'A'.repeat(43) });
		}
	],
	[
		{ kind: 'redirect_uri_rejected' },
		(client) => client.authorize({ redirect_uri: 'https://app.example/' }).then(),
		(client) => client.code().then()
	],
	[{ kind: 'blacklisted' }, (client) => read(client, 8), (client) => read(client, 7)],
	[
		{ kind: 'no_response' },
		(client) =>
			read(client, 8)
				.then(() => orNoResponse(client.rateLimits('A')))
				.then(),
		(client) => read(client, 8)
	],
	[{ kind: 'status_read' }, (client) => client.rateLimiting().then(), (client) => client.rateLimits('A').then()],
	[
		{ kind: 'ticket_filed' },
		scriptOf('blacklisted'),
		(client) => client.control.request('GET /control/tickets').then()
	],
	[
		{ kind: 'ticket_decided', decision: 'unblock' },
		scriptOf('blacklisted'),
		(client) => client.control.request('GET /control/tickets').then()
	],
	[
		{ kind: 'rule_passed', rule: 'request.scope_needed' },
		scriptOf('whole-trip'),
		(client) => client.rateLimiting().then()
	]
];

async function isShownBy(wanted: Observation, script: Script): Promise<boolean> {
	const settings = wanted.kind.startsWith('ticket')
		? { limits: { character: 20, blacklist_after_refused: 30 } }
		: { limits };
	const isStandard = /^(?:token_issued|device)/.test(wanted.kind);
	const { client, evidence } = await openLesson({
		start: { settings: { ...settings, ...(isStandard && { dialect: 'standard' }) } }
	});
	await script(client).catch(() => undefined);
	const { entries } = await evidence();
	const judge = judgeOf(wanted, new Map(), allRules);
	return entries.some((entry, at) => {
		const before = entries.slice(0, at);
		return judge(entry, { before, since: before }) !== false;
	});
}

it.each(cases)('%j is shown by what it says, and by nothing near it', async (wanted, shows, near) => {
	expect(await isShownBy(wanted, shows), 'shown').toBe(true);
	expect(await isShownBy(wanted, near), 'near').toBe(false);
});

it('has a case of each kind', () => {
	const kinds = observation.options.map(({ entries }) => entries.kind.literal);
	expect(kinds.filter((kind) => !cases.some(([wanted]) => wanted.kind === kind))).toEqual([]);
});

it.each(allLessons.filter(({ isFile }) => isFile))(
	'a copy of $id is a lesson file',
	async ({ id, title, goal, minutes }) => {
		const content = await loadContent(id);
		const file = { format: 'tollgate-lesson', version: 1, title, id, goal, minutes, ...content };
		expect(checkLessonFile(JSON.stringify(file))).toHaveProperty('file');
	}
);

it('at least 14 lessons need no code, and all code is used', async () => {
	const contents = await Promise.all(allLessons.map(({ id }) => loadContent(id)));
	const named = contents.map((content) => (content === undefined ? [] : codeIn(content)));
	expect(named.filter((code) => code.length === 0).length).toBeGreaterThanOrEqual(14);
	const modules = import.meta.glob<CodeModule>('../../../src/course/lessons/conditions/*.ts', { eager: true });
	const known = Object.entries(modules).flatMap(([path, { conditions = {}, comparisons = {} }]) =>
		Object.keys({ ...conditions, ...comparisons }).map((name) => `${path.replace(/^.*\/|\.ts$/g, '')}.${name}`)
	);
	expect(known.sort()).toEqual([...new Set(named.flat().map(({ name }) => name))].sort());
});

it('a number that the learner enters is judged by the headers of the last response', async () => {
	const step = (id: string, shows: LessonContent['steps'][number]['conditions'][number]['shows']) => ({
		title: id,
		text: id,
		conditions: [{ id, label: id, unmet: id, shows }]
	});
	const lesson = compileLesson({
		text: ['Read.'],
		steps: [
			step('read', { kind: 'resource_read' }),
			step('left', { kind: 'number_entered', label: 'Left', reads: 'remaining', wrong: 'Not this.' })
		],
		learnt: { title: 'Read', text: 'Read.' }
	});
	const { client, evidence } = await openLesson({ start: { settings: { limits } } });
	await read(client, 1);
	client.enter('left', '1');
	expect(evaluate(lesson, await evidence()).missing?.id).toBe('left');
	client.enter('left', '4');
	expect(evaluate(lesson, await evidence()).missing).toBeUndefined();
	expect(lesson.stage.steps[0].tools).toEqual([{ kind: 'own-client' }]);
});
