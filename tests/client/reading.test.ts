import { describe, expect, test } from 'vitest';
import { characterAddress, endpointsOf } from '#client/endpoints.ts';
import { explain } from '#client/explanations.ts';
import { plain, Problem, problemOf } from '#client/problems.ts';
import { characterOf } from '#client/resources/character.ts';
import { limitsOf } from '#client/resources/ratelimits.ts';
import { authorizationRequest } from '#client/sign-in/request.ts';
import { characterViewer } from '#client/application.ts';
import { wordsOfClient } from '#client/words-of-client.ts';
import { wordsOfService } from '#client/words-of-service.ts';
import { treeOf, treeOfJson } from '#client/xml.ts';
import { readXml, wishes } from './workbench.ts';

const fromXml = (text: string) => {
	const root = readXml(text);
	return root && treeOf(root);
};

describe('addresses', () => {
	test.each([
		['Mara Vell', 'Mara%20Vell'],
		["Tomas d'Arc", "Tomas%20d'Arc"],
		['Zoë Šťastná', 'Zo%C3%AB%20%C5%A0%C5%A5astn%C3%A1'],
		['Half/Life', 'Half%2FLife'],
		['100% Orc', '100%25%20Orc'],
		['a?b#c', 'a%3Fb%23c']
	])('%s is one path segment', (name, segment) => {
		expect(characterAddress('https://s.example/~id', name)).toBe(`https://s.example/~id/ws/v2.0/character/${segment}`);
	});

	test('the authorization request carries what was chosen, in the order of the specification', () => {
		const binding = { state: 'STATE', verifier: 'V', challenge: 'C' };
		const chosen = { ...wishes, scope: ['location_read', 'character_read'], renew: true };
		const application = characterViewer('https://s.example');
		const { address } = authorizationRequest(endpointsOf('https://s.example'), application, chosen, binding);
		expect(address).toBe(
			'https://s.example/ws/oauth2/auth/?response_type=code&client_id=character-viewer' +
				'&redirect_uri=https%3A%2F%2Fs.example%2Fviewer%2Fcallback&scope=character_read%20location_read&state=STATE' +
				'&access_type=offline&renew_previously_granted=yes&code_challenge=C&code_challenge_method=S256'
		);
	});
});

describe('a character', () => {
	const whole = {
		name: 'Mara',
		race: 'Human',
		class: 'C',
		level: 42,
		guild: 'G',
		location: { region: 'R', place: 'P' },
		inventory: ['a', 'b'],
		credits: 7
	};
	const all = ['character_read', 'location_read', 'inventory_read', 'credits_read'];

	test('reads alike from JSON and XML', () => {
		const xml =
			'<character><name>Mara</name><race>Human</race><class>C</class><level>42</level><guild>G</guild><location><region>R</region>' +
			'<place>P</place></location><inventory><item>a</item><item>b</item></inventory><credits>7</credits></character>';
		const one = characterOf(treeOfJson(JSON.stringify(whole)), all);
		expect(characterOf(fromXml(xml), all)).toEqual(one);
		expect(one).toMatchObject({ name: 'Mara', lacking: [], foreign: false });
		expect(one?.lines).toContainEqual({ field: 'inventory', value: 'a, b' });
		expect(one?.lines).toContainEqual({ field: 'place', value: 'P' });
	});

	test('says which permission would show the rest', () => {
		const sheet = characterOf({ name: 'Mara', race: 'Human', class: 'C', level: 42, guild: 'G' }, ['character_read']);
		expect(sheet?.lacking.map(({ scope }) => scope)).toEqual(['location_read', 'inventory_read', 'credits_read']);
		expect(sheet?.foreign).toBe(false);
	});

	test('knows that it is somebody else’s', () => {
		expect(characterOf({ name: 'Orc' }, all)).toMatchObject({ lines: [], lacking: [], foreign: true });
	});

	test.each([undefined, null, 'text', [], {}, { name: 7 }])('is not made of %j', (tree) => {
		expect(characterOf(tree, all)).toBeUndefined();
	});
});

test('the records of ratelimits read alike from JSON and XML, one or several', () => {
	const record = { pattern: '/p', limit: 150, remaining: 149, reset: 1_800_000_000, reset_time: 'Sat' };
	const attributes = 'pattern="/p" limit="150" remaining="149" reset="1800000000" reset_time="Sat"';
	const expected = { ...record, reset: 1_800_000_000_000 };
	expect(limitsOf({ ratelimits: { version: '1.0', total: 1, ratelimit: [record] } })).toEqual([expected]);
	expect(limitsOf(fromXml(`<ratelimits version="1.0" total="1"><ratelimit ${attributes}/></ratelimits>`))).toEqual([
		expected
	]);
	expect(
		limitsOf(
			fromXml(`<ratelimits version="1.0" total="2"><ratelimit ${attributes}/><ratelimit ${attributes}/></ratelimits>`)
		)
	).toEqual([expected, expected]);
	expect(limitsOf({ nothing: true })).toEqual([]);
});

describe('words', () => {
	test('every code is explained, with a section and a next step', () => {
		for (const [code, [title, why, next, section]] of [...wordsOfService, ...wordsOfClient]) {
			expect(title, code).not.toBe('');
			expect(why, code).toMatch(/[.]$/);
			expect(next, code).toMatch(/[.]$/);
			expect(section, code).toMatch(/^\d(\.\d)?$/);
		}
	});

	test('an unknown code is explained too', () => {
		expect(explain(new Problem('odd_thing')).why).toContain('odd_thing');
	});

	test('whatever was thrown has words', () => {
		expect(problemOf(new Error('broken'))).toMatchObject({ code: 'client_fault', message: 'broken' });
		expect(problemOf('a text')).toMatchObject({ code: 'client_fault', message: 'a text' });
		expect(explain(problemOf(undefined)).title).not.toBe('The service refused');
	});

	test('text of others is one harmless line', () => {
		expect(plain('a\r\nb\u0000c\u202ed\u200be')).toBe('a b c d e');
		expect(plain(' a   b    c ')).toBe('a b c');
		expect(plain('x'.repeat(200))).toBe('x'.repeat(200));
		expect(plain('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
	});
});
