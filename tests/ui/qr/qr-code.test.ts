import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { qrCode } from '#ui/qr/qr-code.ts';

const digestOf = (text: string) => {
	const rows = qrCode(text).map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));
	return `${rows.length} ${hash('sha256', rows.join('\n')).slice(0, 12)}`;
};

it('draws the same codes that a reader read correctly, in versions 1 to 10', () => {
	expect([14, 26, 42, 62, 84, 106, 122, 152, 180, 213].map((length) => digestOf('q'.repeat(length))))
		.toMatchInlineSnapshot(`
			[
			  "21 81a24cdea837",
			  "25 2a68f9c41770",
			  "29 f1679a545b52",
			  "33 7e81409b745b",
			  "37 63ab22cb8a44",
			  "41 4210715519fa",
			  "45 52fa07143615",
			  "49 6ca217adf71f",
			  "53 6fe82dcc7df7",
			  "57 52f4cf94c844",
			]
		`);
});

it('encodes text as UTF-8', () => {
	expect(digestOf('é'.repeat(106))).toMatchInlineSnapshot(`"57 a65fdc7db0d7"`);
});

it('rejects a text that is too long', () => {
	expect(() => qrCode('q'.repeat(214))).toThrow(RangeError);
});
