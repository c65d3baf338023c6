import { expect, it, vi } from 'vitest';
import { loadExercise } from '#course/write/exercises.ts';
import type { Exercise } from '#course/write/exercise.ts';
import { RunningExercise } from '#course/write/model/run-exercise.ts';
import { PartMissing } from '#course/write/engine/program/modules.ts';
import type { OpenRealm } from '#course/write/engine/program/program.ts';
import { changed } from '#course/write/program-changes.ts';
import { judge } from '#course/write/model/judge.ts';
import { openFunctionRealm } from './engine/function-realm.ts';
import { runProgram } from './run.ts';

async function exerciseOf(id: string): Promise<Exercise> {
	const exercise = await loadExercise(id);
	if (exercise === undefined) throw new Error(`${id} has no exercise.`);
	return exercise;
}

/** A run whose program has no place to run in. */
async function runIn(openRealm: OpenRealm): Promise<RunningExercise> {
	const exercise = await exerciseOf('exchange-the-code');
	return new RunningExercise({ exercise, source: exercise.solution, baseUrl: 'https://tollgate.test', openRealm });
}

it('ends with a sentence where a part of the page is missing, or has a mistake', async () => {
	const missing = await runIn(async () => {
		throw new PartMissing();
	});
	await missing.run();
	expect(missing.problem).toEqual({
		kind: 'page',
		text: 'A part of this page could not be loaded. Reload; your text is kept.'
	});
	const broken = await runIn(async () => {
		throw new Error('No frame.');
	});
	await broken.run();
	expect(broken.problem?.text).toBe('The run ended early, because this page made a mistake: No frame.');
});

it('can be stopped while its files are on their way', async () => {
	const run = await runIn(() => new Promise(() => undefined));
	setTimeout(() => run.stop(), 50);
	await run.run();
	expect(run.problem).toEqual({ kind: 'stopped', text: 'You stopped the run.' });
});

it.each([
	[
		'repair-2',
		'with PKCE',
		'no_state',
		'Only the service stopped it',
		[
			[
				'    state\n  }).toString();',
				"    state,\n    code_challenge: await challengeOf('a'.repeat(43)),\n    code_challenge_method: 'S256'\n  }).toString();"
			],
			['import { randomText }', 'import { challengeOf, randomText }'],
			[
				'code, redirect_uri: config.redirectUri,',
				"code, redirect_uri: config.redirectUri, code_verifier: 'a'.repeat(43),"
			],
			[
				"if (response.get('state') !== pending.state)",
				"if (response.has('state') && response.get('state') !== pending.state)"
			]
		]
	],
	[
		'check-response',
		'an empty code',
		'wrong_state',
		'without the code of the response',
		[["throw new Error('This response belongs to another sign-in.');", "return '';"]]
	],
	[
		'check-response',
		'a promise',
		'signs_in',
		'the text that objects and promises become',
		[['function checkResponse', 'async function checkResponse']]
	],
	[
		'refresh-once',
		'a retry without an end',
		'refreshed',
		'No token request followed',
		[
			[
				'if (response.status === 401) {',
				'for (let tries = 0; response.status === 401 && tries < 3; tries++) {\n    response = await send(name);\n  }\n  if (response.status === 499) {'
			]
		]
	],
	[
		'exchange-the-code',
		'FormData',
		'form',
		'The check below says what it found',
		[
			['body: new URLSearchParams({', 'body: Object.entries({'],
			[
				'code_verifier: verifier\n    })\n',
				'code_verifier: verifier\n    }).reduce((form, [name, value]) => (form.append(name, value), form), new FormData())\n'
			]
		]
	],
	[
		'repair-1',
		'encodeURI',
		'unchanged',
		'goes on in another way',
		[['      code,\n', '      code: encodeURI(code),\n']]
	]
] as const)('names what was seen in %s: %s', async (id, _, condition, text, changes) => {
	const exercise = await exerciseOf(id);
	const { conditions } = await runProgram(exercise, changed(exercise.solution, ...changes));
	const failed = conditions.filter(({ state }) => state === 'failed');
	expect(failed.map((one) => one.id)).toEqual([condition]);
	expect(failed[0]?.nearMiss?.text).toContain(text);
});

it('says so where the user denied access', async () => {
	const exercise = await exerciseOf('exchange-the-code');
	const run = new RunningExercise({
		exercise,
		source: exercise.solution,
		baseUrl: 'https://tollgate.test',
		openRealm: openFunctionRealm,
		decidesInPage: true
	});
	const over = run.run();
	await vi.waitFor(() => expect(run.browser.isWaiting).toBe(true));
	const [, token = ''] = /name="interaction" value="([^"]+)"/.exec(run.browser.page.text) ?? [];
	const action = /<form[^>]* action="([^"]+)"/.exec(run.browser.page.text)?.[1] ?? '';
	await run.browser.submit(action, new URLSearchParams({ interaction: token, decision: 'deny' }));
	await over;
	const failed = judge(exercise, run.evidence()).filter(({ state }) => state === 'failed');
	expect(failed.map(({ id, nearMiss }) => [id, nearMiss?.title])).toEqual([['result', 'access denied']]);
});

it('passes a sign-out that revokes both tokens', async () => {
	const exercise = await exerciseOf('sign-out');
	const both = changed(exercise.solution, [
		'  await fetch(`${config.revocationUrl}?${query}`);',
		"  await fetch(`${config.revocationUrl}?${query}`);\n  query.set('token', tokens.access_token);\n  await fetch(`${config.revocationUrl}?${query}`);"
	]);
	const { conditions } = await runProgram(exercise, both);
	expect(conditions.filter(({ state }) => state !== 'met')).toEqual([]);
});

it('passes a client whose waits follow its own clock', async () => {
	const exercise = await exerciseOf('wait-for-the-limit');
	for (const [now, sleep] of [
		['Date.now()', 'clock.sleep(timeToReset(response))'],
		['new Date().getTime()', 'new Promise((resolve) => setTimeout(resolve, timeToReset(response)))']
	] as const) {
		const own = changed(exercise.solution, ['clock.now()', now], ['clock.sleep(timeToReset(response))', sleep]);
		const { conditions } = await runProgram(exercise, own);
		expect(conditions.filter(({ state }) => state !== 'met')).toEqual([]);
	}
});
