import { expect, it } from 'vitest';
import { readAll, readStored } from '#hosts/node/redis/record-scripts.ts';

const required = { name: 'string' } as const;

it('reads a record with the fields of its kind', () => {
	expect(readStored('2;1;1;{"name":"a"}', required)).toEqual({ version: '2', born: '1', record: { name: 'a' } });
	expect(readAll({ a: '2;1;1;{"name":"a"}' }, required)).toEqual([['a', { name: 'a' }]]);
});

it.each(['{}', '{"name":1}', '{"name":null}', '7', 'null', '[]', '{"name":'])(
	'the store has failed where another program wrote %s in place of a record',
	(json) => {
		expect(() => readStored(`2;1;1;${json}`, required)).toThrow('that Tollgate did not write');
	}
);
