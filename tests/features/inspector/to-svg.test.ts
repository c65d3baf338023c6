import { expect, test } from 'vitest';
import { XMLValidator } from 'fast-xml-parser';
import { toSvg } from '#features/inspector/diagram/diagram-export.ts';

const colors = {
	user: '#111111',
	browser: '#222222',
	application: '#333333',
	authorization: '#444444',
	resource: '#555555',
	text: '#000000',
	muted: '#777777',
	background: '#ffffff',
	error: '#ff0000'
};

test('writes an SVG file that is complete and well-formed', () => {
	const message = { exchange: 'x', isReply: false, isRejected: false, isSeen: true, text: '', values: [] };
	const svg = toSvg(
		[
			{ ...message, id: '1', from: 'browser', to: 'authorization', label: 'GET /<"&>\u0007' },
			{ ...message, id: '2', from: 'authorization', to: 'browser', label: '400', isReply: true, isRejected: true },
			{ ...message, id: '3', from: 'application', to: 'application', label: 'State verified' }
		],
		colors
	);
	expect(XMLValidator.validate(svg)).toBe(true);
	expect(svg).toContain('xmlns="http://www.w3.org/2000/svg"');
	expect(svg).toContain('GET /&#60;&#34;&#38;&#62; ');
	expect(svg).toContain('Authorization server');
	expect(svg).toContain('stroke="#ff0000"');
	expect(svg).not.toContain('var(');
});
