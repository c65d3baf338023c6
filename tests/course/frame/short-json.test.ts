import { expect, it } from 'vitest';
import { memberThatDiffers, shortJson } from '#course/frame/response-lines.ts';

it('names the member that only one of two responses has, before one with another value', () => {
	const one = '{"active":true,"exp":1,"act":{"sub":"client:viewer"}}';
	const other = '{"active":true,"exp":2}';
	expect([memberThatDiffers(one, other), memberThatDiffers(other, one)]).toEqual(['act', 'act']);
	expect(memberThatDiffers('{"a":1,"b":2}', '{"a":1,"b":3}')).toBe('b');
	expect(memberThatDiffers(one, one)).toBeUndefined();
	expect(memberThatDiffers('<p>', one)).toBeUndefined();
	expect(shortJson(one, 0, 'act')).toBe('{"act":{"sub":"client:viewer"},"active":true,"exp":1}');
});
