import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ContentSource } from '#tooling/vite/content-kind.ts';
import { readContent } from '#tooling/vite/content-kinds.ts';
import { readContent as readRecords } from '#tooling/vite/content-records.ts';
import { contentFiles } from '#tooling/vite/content.js';

const root = join(import.meta.dirname, '../..');
const fileOf = (folder: string, id: string) => join(root, `src/content/${folder}/${id}.yaml`);
const path = fileOf('lessons', 'device-codes');
const text = readFileSync(path, 'utf8');

/** A folder of content, where a file has another text. */
function sourceOf(folder: string, changed: Readonly<Record<string, string | undefined>>): ContentSource {
	const files = join(root, 'src/content', folder);
	return {
		read: (name) => (name in changed ? changed[name] : readFileSync(join(files, name), 'utf8')),
		ids: readdirSync(files).flatMap((name) => (name.endsWith('.yaml') ? basename(name, '.yaml') : []))
	};
}

/** The mistakes of a file with another text in it, each with its line. */
function mistakesOf(folder: string, id: string, from: string, to: string): readonly string[] {
	const found = readFileSync(fileOf(folder, id), 'utf8');
	expect(found).toContain(from);
	const reads = ['rules', 'findings', 'checks'].includes(folder) ? readRecords : readContent;
	const read = reads(folder, id, sourceOf(folder, { [`${id}.yaml`]: found.replace(from, () => to) }));
	return 'mistakes' in read ? read.mistakes.map(({ line, place, reason }) => `${line} ${place}: ${reason}`) : [];
}
const mistakes = (from: string, to: string) => mistakesOf('lessons', 'device-codes', from, to);

const lineOf = (part: string, whole = text) => whole.slice(0, whole.indexOf(part)).split('\n').length;

describe('a mistake in a content file', () => {
	it.each([
		['minutes: 6', 'minutes: six', 'minutes', 'Enter a whole number from 1 to 120. Found "six".'],
		['chapter: Today’s standards', 'chapter: Devices', 'chapter', 'Found "Devices".'],
		['order: 18', 'ordr: 18', 'ordr', 'There is no such field. Remove it or correct its name.'],
		['kind: device_allowed', 'kind: device_agreed', 'steps.3.conditions.0.shows.kind', 'Found "device_agreed".'],
		[
			'checks: [device.codes_issued]',
			'checks: [device.codes_made]',
			'steps.0.conditions.0.shows.checks.0',
			'Found "device.codes_made".'
		],
		['shownBy: slowed_down', 'shownBy: slow', 'prediction.shownBy', 'No condition has the id "slow".'],
		[
			'kind: device_allowed',
			'kind: code, name: herd.nothing',
			'steps.3.conditions.0.shows.name',
			'Use one of delegation.without_actor, delegation.delegated, '
		]
	])('%s as %s has its line, what was found and what was expected', (from, to, place, reason) => {
		const found = mistakes(from, to);
		expect(
			found.some((one) => one.startsWith(`${lineOf(from)} ${place}: `) && one.includes(reason)),
			found.join('\n')
		).toBe(true);
	});

	it('is a text that is no YAML, a name that occurs twice, an alias', () => {
		expect(mistakes('minutes: 6', 'minutes: [6')[0]).toMatch(/^\d+ : It is not YAML: /);
		expect(mistakes('minutes: 6', 'minutes: 6\nminutes: 7')[0]).toMatch(
			/^\d+ : It is not YAML: Map keys must be unique/
		);
		expect(mistakes('minutes: 6', 'minutes: &a 6\nx: *a')[0]).toContain('It has an alias in line 6.');
	});

	it('is a field that is missing', () => {
		expect(mistakes('minutes: 6\n', '')).toEqual(['1 minutes: This field is required. Found nothing.']);
	});
});

describe('a lab and its code', () => {
	it.each([
		['minutes: 8', 'minutes: long', 'minutes', 'Enter a whole number from 1 to 120. Found "long".'],
		['briefing:', 'brieving:', 'brieving', 'There is no such field.'],
		['- sign_in', '- signin', 'steps.0', 'Use one of sign_in, hold, hold_request, '],
		['- sign_in', '- release', 'steps.0.title', 'This field is required. Found nothing.'],
		[
			'code_removed:',
			'code_lost:',
			'nearMisses.code_lost',
			'Use a name of its code: expired, own_exchange, state_kept, code_removed.'
		],
		[
			'no_session:',
			'no_cookie:',
			'nearMisses.state_kept.text.no_cookie',
			'Use a name of its code: no_session, otherwise.'
		],
		[
			'noEffect: { use: longer_state }',
			'noEffect: { use: longer }',
			'wrongDefenses.noEffect',
			'Use one of longer_state, same_site, '
		],
		['place: client', 'place: browser', 'rejected.place', 'Found "browser".']
	])('%s as %s has its line, what was found and what was expected', (from, to, place, reason) => {
		const found = mistakesOf('labs', 'login-csrf', from, to);
		const line = lineOf(from, readFileSync(fileOf('labs', 'login-csrf'), 'utf8'));
		expect(
			found.some((one) => one.startsWith(`${line} ${place}: `) && one.includes(reason)),
			found.join('\n')
		).toBe(true);
	});

	it('has the line of a shared part that is wrong, and its file', () => {
		const file = join(root, 'src/content/labs/shared/parts.yaml');
		const parts = readFileSync(file, 'utf8').replace('section: RFC 9449 §1', 'sections: RFC 9449 §1');
		const line = lineOf('sections: RFC', parts);
		expect(readContent('labs', 'login-csrf', sourceOf('labs', { 'shared/parts.yaml': parts }))).toMatchObject({
			mistakes: expect.arrayContaining([
				expect.objectContaining({ file: 'shared/parts.yaml', line, place: 'wrongDefenses.otherAttack.sections' })
			])
		});
	});

	it('names a move that the code does not have', () => {
		expect(mistakesOf('labs', 'login-csrf', 'use: remove_state', 'id: strip\n    label: Strip')).toContain(
			'33 steps.2.id: Use a move whose code has isDone. Found "strip".'
		);
	});

	it('have the same names: a move and a near miss that only the code has, a file without code, code without a file', () => {
		expect(mistakesOf('labs', 'login-csrf', 'use: remove_state', 'use: remove_code')[0]).toContain(
			'steps: Its code has the move "remove_state". Found sign_in, hold, remove_code, '
		);
		expect(mistakesOf('labs', 'login-csrf', '  expired: { use: expired }\n', '')[0]).toContain(
			'Its code has "expired". Found own_exchange, state_kept, code_removed.'
		);
		const copy = readFileSync(fileOf('labs', 'login-csrf'), 'utf8');
		const source = sourceOf('labs', { 'new-lab.yaml': copy });
		expect(readContent('labs', 'new-lab', source)).toMatchObject({
			mistakes: [{ line: 1, reason: /^Add src\/course\/labs\/labs\/new-lab\.ts\. Found audience-injection, / }]
		});
		const ids = source.ids.filter((id) => id !== 'mix-up');
		expect(readContent('labs', 'login-csrf', { ...source, ids })).toMatchObject({
			mistakes: [{ reason: 'src/course/labs/labs/mix-up.ts has no content. Add mix-up.yaml.' }]
		});
	});
});

describe('a record and the code of its id', () => {
	it.each([
		['rules', 'call', 'call.header:', 'call.heder:', 'call.heder', 'Use a name of its code: call.header, '],
		['rules', 'call', 'why: URLs', 'whi: URLs', 'call.header.whi', 'There is no such field.'],
		[
			'rules',
			'call',
			'{call} had',
			'{2 calls} had',
			'call.header.failed',
			'Write a count as {call} or {refresh|refreshes}.'
		],
		[
			'rules',
			'call',
			'sections: [RFC 6750 §5.3]',
			'sections: [RFC 6750]',
			'call.header.sections.0',
			'Name a section: '
		],
		['checks', 'token', 'token.code_known:', 'token.code_now:', 'token.code_now', 'Use a name of its code: token.'],
		[
			'checks',
			'token',
			'already_used:',
			'used:',
			'token.code_not_used.causes.used',
			'Use a name of its code: already_used, '
		],
		['checks', 'token', "section: '2.3'", 'section: 2.3', 'token.form_is_valid.section', 'Found 2.3.'],
		[
			'checks',
			'logout',
			'failed: wrong method',
			'fails: wrong method',
			'logout.method_allowed.fails',
			'There is no such field.'
		],
		[
			'checks',
			'dpop',
			'label: Proof sent twice',
			'lable: Proof',
			'dpop.not_replayed.mistakes.replayed_proof.lable',
			'no such field'
		],
		['checks', 'shared', 'other_site:', 'another_site:', 'another_site', 'Use a name of its code: body_too_large, '],
		['findings', 'cause', 'cause.tenant:', 'causes.tenant:', 'causes.tenant', 'Begin the id with "cause.".'],
		['findings', 'cause', 'severity: 2', 'severity: 4', 'cause.redirect_uri.severity', 'Found 4.']
	])('of %s/%s: %s as %s has its line, what was found and what was expected', (folder, id, from, to, place, reason) => {
		const found = mistakesOf(folder, id, from, to);
		const line = lineOf(from, readFileSync(fileOf(folder, id), 'utf8'));
		expect(
			found.some((one) => one.startsWith(`${line} ${place}: `) && one.includes(reason)),
			found.join('\n')
		).toBe(true);
	});

	it('is missing: an id without a record, a field', () => {
		expect(mistakesOf('rules', 'installed', 'installed.pkce:', 'installed.plain:')).toContain(
			'1 installed.pkce: Its code has "installed.pkce". Found installed.plain.'
		);
		expect(mistakesOf('rules', 'call', '  needs: a call\n', '')).toEqual([
			'1 call.header.needs: This field is required. Found nothing.'
		]);
	});

	it('of a check says what its code says: an outcome, an explanation, the section of today’s standards', () => {
		expect(
			mistakesOf(
				'checks',
				'pages',
				"title: The account settings are shown\n  section: '5.6'\n  standard: { section: same }",
				"title: Shown\n  section: '5.6'"
			)
		).toEqual([expect.stringContaining('account.shown.standard: Name what requires it with today’s standards: ')]);
		expect(mistakesOf('checks', 'pages', '  responds: Account page shown\n', '')).toEqual([
			expect.stringContaining('account.shown.responds: Its code says that it has one. Found nothing.')
		]);
		expect(
			mistakesOf('checks', 'pages', '  responds: Account page shown\n', '  responds: Shown\n  failed: not shown\n')
		).toEqual([expect.stringContaining('account.shown.failed: Its code says that it has none. Remove it.')]);
	});

	it('comes in parts: what lists show, what a file shows, and the rest', () => {
		const read = readRecords('rules', 'exchange', sourceOf('rules', {}));
		if ('mistakes' in read) throw new Error('It has mistakes.');
		const { content, about, apart } = read;
		expect(about).toMatchObject({ 'exchange.in_body': { title: 'Credentials are in the body', standard: {} } });
		expect(Reflect.get(about, 'exchange.in_body')).not.toHaveProperty('wrong');
		expect(Reflect.get(content, 'exchange.in_body')).not.toHaveProperty('title');
		expect(apart).toMatchObject({ har: { 'exchange.redirect_uri_same': { har: { needs: 'back channel' } } } });
		expect(content).not.toHaveProperty(['exchange.redirect_uri_same', 'har']);
	});
});

describe('an exercise, its code and its programs', () => {
	const exercise = readFileSync(fileOf('exercises', 'repair-2'), 'utf8');

	it.each([
		['order: 10', 'order: ten', 'order', 'Found "ten".'],
		['group: Repair', 'group: Repairs', 'group', 'Found "Repairs".'],
		['hints:', 'hint:', 'hint', 'There is no such field.'],
		['- denial', '- denied', 'conditions.4', 'Use one of signs_in, denial, due, '],
		[
			'needs: wrong_state',
			'needs: other_state',
			'conditions.2.needs',
			'Use the id of a condition before it. Found "other_state".'
		],
		[
			'id: empty_state',
			'id: emptied',
			'conditions.3.id',
			'Use a name of its code: wrong_state, no_state, empty_state, again, '
		],
		['closed:', 'shut:', 'conditions.5.mistakes.shut', 'Use a name of its code: rejected, closed. Found "shut".'],
		['condition: empty_state', 'condition: emptied', 'nearMisses.0.condition', 'Found "emptied".'],
		[
			"from: if (response.get('state') !== pending.state)",
			'from: response',
			'start.0.from',
			'Use a text that the program has once. Found it '
		],
		['writesAt: ^async', 'writesAt: (async', 'writesAt', 'Use a regular expression.']
	])('%s as %s has its line, what was found and what was expected', (from, to, place, reason) => {
		const found = mistakesOf('exercises', 'repair-2', from, to);
		expect(
			found.some((one) => one.startsWith(`${lineOf(from, exercise)} ${place}: `) && one.includes(reason)),
			found.join('\n')
		).toBe(true);
	});

	it('needs its programs', () => {
		const read = (changes: Readonly<Record<string, undefined>>) =>
			readContent('exercises', 'sign-out', sourceOf('exercises', changes));
		expect(read({ 'sign-out/start.ts.txt': undefined })).toMatchObject({
			mistakes: [{ place: 'start', reason: 'Add src/content/exercises/sign-out/start.ts.txt. Found nothing.' }]
		});
		expect(read({ 'given/exchange.ts.txt': undefined })).toMatchObject({
			mistakes: [{ place: 'given.4', reason: 'Add src/content/exercises/given/exchange.ts.txt. Found nothing.' }]
		});
	});

	it('gives learners no program that almost works', () => {
		const read = readContent('exercises', 'repair-2', sourceOf('exercises', {}));
		expect('content' in read && Object.keys(read.content)).not.toContain('nearMisses');
		expect('apart' in read && Reflect.get(read.apart, 'nearMisses')).toHaveLength(4);
	});
});

describe('the plugin', () => {
	/** The plugin. `load` resolves with what it loads, or rejects with the mistake that it reports. */
	function plugin(contentOf: () => string) {
		const module = {
			readContent: (folder: string, name: string) =>
				readContent(folder, name, sourceOf(folder, { [`${name}.yaml`]: contentOf() }))
		};
		const importSource = () => Promise.resolve({ module, files: [] });
		const { load: hook, watchChange } = contentFiles(root, importSource);
		if (typeof hook !== 'object' || typeof watchChange !== 'function') throw new Error('The plugin loads nothing.');
		const context = {
			addWatchFile: () => undefined,
			error: (mistake: object) => {
				throw Object.assign(new Error('mistake'), { mistake });
			}
		};
		return {
			load: async (id: string): Promise<unknown> => Reflect.apply(hook.handler, context, [id]),
			change: (id: string): unknown => Reflect.apply(watchChange, context, [id, { event: 'update' }])
		};
	}
	const load = (id: string, content = text) => plugin(() => content).load(id);

	it('gives a list the head of a file only, and the service its title', async () => {
		const [about, whole] = [String(await load(`${path}?about`)), String(await load(path))];
		expect(about).toContain('"chapter":"Today’s standards"');
		expect(about).not.toContain('"steps"');
		expect(whole).toContain('"steps"');
		expect(whole).not.toContain('"chapter"');
		expect(await load(`${path}?title`)).toBe('export default "A device without a browser";');
	});

	it('reads a file once, and again after a change', async () => {
		let reads = 0;
		const { load, change } = plugin(() => text.replace('minutes: 6', `minutes: ${++reads}`));
		expect(String(await load(`${path}?about`))).toContain('"minutes":1');
		expect(String(await load(`${path}?about`))).toContain('"minutes":1');
		change(path);
		expect(String(await load(`${path}?about`))).toContain('"minutes":2');
	});

	it('ends the build with the file and the line of a mistake', async () => {
		await expect(load(path, text.replace('minutes: 6', 'minutes: six'))).rejects.toMatchObject({
			mistake: {
				message: 'device-codes.yaml, line 5, minutes: Enter a whole number from 1 to 120. Found "six".',
				loc: { file: path, line: 5 }
			}
		});
	});
});

describe('a mistake in the file of a provider', () => {
	const github = readFileSync(fileOf('providers', 'github'), 'utf8');
	it.each([
		["separator: ','", "separator: ';'", 'dialect.scopes.separator', 'Found ";"'],
		['refreshFor: never', 'refreshFor: sometimes', 'dialect.refreshFor', 'Found "sometimes"'],
		['pkce: optional', 'pkc: optional', 'dialect.pkc', 'There is no such field'],
		['fact: scopes.separator', 'fact: scopes.separators', 'surprises.2.fact', 'Found "scopes.separators"'],
		['check: provider.error_status', 'check: provider.status', 'surprises.0.check', 'Found "provider.status"'],
		['read: 2026-11-29', 'read: yesterday', 'sources.0.read', 'Found "yesterday"']
	])('%s as %s has its line, what was found and what was expected', (from, to, place, reason) => {
		const found = mistakesOf('providers', 'github', from, to);
		expect(
			found.some((one) => one.startsWith(`${lineOf(from, github)} ${place}: `) && one.includes(reason)),
			found.join('\n')
		).toBe(true);
	});

	it('is a fact without a source, and a source without its fact', () => {
		expect(mistakesOf('providers', 'github', 'facts: [userAgent]', 'facts: [userAgents]')).toEqual([
			expect.stringMatching(/^\d+ sources\.\d+\.facts\.0: Use a place in dialect\. Found "userAgents"\.$/),
			expect.stringMatching(/^\d+ dialect\.userAgent: Name a source that shows it, .* Found none\.$/)
		]);
	});

	it('is a dialect of our own that lacks a part, and fewer than four surprises', () => {
		expect(mistakesOf('providers', 'standard', '  iss: true\n', '')).toContainEqual(
			expect.stringMatching(/^\d+ dialect: Add iss, or extends: standard\. Found neither\.$/)
		);
		const few = mistakesOf(
			'providers',
			'github',
			github.slice(github.indexOf('surprises:'), github.indexOf('notSimulated:')),
			'surprises: []\n'
		);
		expect(few).toEqual([expect.stringMatching(/^\d+ surprises: Describe at least four\. Found 0\.$/)]);
	});
});
