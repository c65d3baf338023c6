import { describe, expect, test } from 'vitest';
import { describeError } from '#client/errors.ts';
import type { Permission } from '#client/world.ts';
import { parseCharacter, parseRateLimits } from '#client/parse-resources.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { ServerClock } from '#client/server-clock.ts';
import { characterPath } from '#client/service-urls.ts';
import { xmlToJson } from '#client/xml-to-json.ts';
import { parseXml } from './test-browser.ts';

const fromXml = (text: string) => {
	const root = parseXml(text);
	return root && xmlToJson(root);
};

describe('a character', () => {
	const permission = (scope: string, opens: string[], of: Permission['of'] = 'own') => ({
		scope,
		opens,
		of,
		title: scope,
		consent: scope
	});
	const permissions = [
		permission('character_read', ['class', 'level'], 'everybody'),
		permission('inventory_read', ['inventory']),
		permission('location_read', ['location']),
		permission('credits_read', ['credits']),
		permission('character_write', [])
	];

	const json = '{"name":"Mara Vell","class":"Ranger","inventory":["rope","lamp"],"location":{"city":"Quay"}}';
	const xml =
		'<character><name>Mara Vell</name><class>Ranger</class><inventory><item>rope</item><item>lamp</item></inventory><location><city>Quay</city></location></character>';

	test('is the same from JSON and XML', () => {
		const character = parseCharacter(parseJson(json), ['character_read'], permissions);
		expect(character?.fields).toEqual([
			{ id: 'class', name: 'class', value: 'Ranger' },
			{ id: 'inventory', name: 'inventory', value: 'rope, lamp' },
			{ id: 'location city', name: 'city', value: 'Quay' }
		]);
		expect(parseCharacter(fromXml(xml), ['character_read'], permissions)).toEqual(character);
		expect(parseCharacter({ character: parseJson(json) ?? null }, ['character_read'], permissions)).toEqual(character);
	});

	test('lists the permissions that its missing fields need', () => {
		const character = parseCharacter(parseJson(json), ['character_read'], permissions);
		expect(character?.missingPermissions.map(({ scope }) => scope)).toEqual(['credits_read']);
	});

	test('can have any fields, and names the permissions that opened them', () => {
		const ship = {
			name: 'Wren',
			crew: [{ name: 'Ada', age: 40 }],
			hull: { mass: 9 },
			cargo: { mass: 4, of: ['tea'] },
			level: 0
		};
		const character = parseCharacter(ship, ['character_read'], permissions);
		expect(character?.fields.map(({ name, value }) => `${name} ${value}`)).toEqual([
			'crew name: Ada, age: 40',
			'mass 9',
			'mass 4',
			'of tea',
			'level 0'
		]);
		expect(new Set(character?.fields.map(({ id }) => id)).size).toBe(5);
		expect(character?.opened).toEqual([{ scope: 'character_read', fields: ['level'] }]);
	});

	test('belongs to another user if fields are missing that were granted', () => {
		expect(parseCharacter({ name: 'x' }, ['credits_read'], permissions)?.isOtherUsers).toBe(true);
		expect(parseCharacter({ name: 'x' }, [], permissions)?.isOtherUsers).toBe(false);
	});

	test.each([undefined, null, 'text', [], {}, { name: 7 }])('is not %j', (data) => {
		expect(parseCharacter(data, [], permissions)).toBeUndefined();
	});

	test('has a path with one encoded segment', () => {
		expect(characterPath('Half/Life')).toBe('/ws/v2.0/character/Half%2FLife');
		expect(characterPath('100% Orc')).toBe('/ws/v2.0/character/100%25%20Orc');
	});
});

test('the rate limit records are the same from JSON and XML, one or several', () => {
	const record = { pattern: '/a', limit: 600, remaining: 7, reset: 1_800_000_000, reset_time: 'then' };
	const attributes = 'pattern="/a" limit="600" remaining="7" reset="1800000000" reset_time="then"';
	const parsed = { ...record, reset: 1_800_000_000_000 };
	expect(parseRateLimits({ ratelimit: [record, record] })).toEqual([parsed, parsed]);
	expect(parseRateLimits({ ratelimits: { ratelimit: record } })).toEqual([parsed]);
	expect(parseRateLimits(fromXml(`<ratelimits total="1"><ratelimit ${attributes}/></ratelimits>`))).toEqual([parsed]);
	expect(parseRateLimits({ ratelimit: [{ ...record, reset: 'x' }, { ...record, reset: 1e30 }, 7, {}] })).toEqual([]);
	for (const data of [undefined, null, 'text', []]) expect(parseRateLimits(data)).toEqual([]);
});

test('an error is described by its code, without marks of code', () => {
	expect(describeError({ code: 'unsupported_response_type' }).fix).toBe('Send response_type=code.');
	expect(describeError({ code: 'state_used' }).title).toBe('Sign-in already completed');
	expect(describeError({ code: 'odd_thing' })).toMatchObject({
		cause: expect.stringContaining('odd_thing'),
		action: 'retry'
	});
});

describe('the server clock', () => {
	function open() {
		const changes: [number, number][] = [];
		const clock = new ServerClock(
			() => 1_000_000,
			(offset, difference) => changes.push([offset, difference])
		);
		const update = (time: number) => clock.update(new Date(time).toUTCString());
		return { clock, changes, update };
	}

	test('follows the Date of responses, except for differences below two seconds', () => {
		const { clock, changes, update } = open();
		update(1_001_000);
		expect(clock.now()).toBe(1_000_000);
		update(1_600_000);
		expect(clock.now()).toBe(1_600_000);
		update(1_601_000);
		expect(clock.now()).toBe(1_600_000);
		expect(changes).toEqual([[600_000, 600_000]]);
	});

	test('reports no jump for the first response', () => {
		const { changes, update } = open();
		update(1_600_000);
		update(1_300_000);
		expect(changes).toEqual([
			[600_000, 0],
			[300_000, -300_000]
		]);
	});

	test('ignores a missing or invalid Date, and a stored offset once a response is known', () => {
		const { clock, changes, update } = open();
		clock.update(null);
		clock.update('soon');
		clock.setOffset(5000);
		expect(clock.now()).toBe(1_005_000);
		update(1_005_000);
		clock.setOffset(9000);
		expect([clock.now(), changes]).toEqual([1_005_000, []]);
	});
});
