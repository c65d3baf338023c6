import { expect, it } from 'vitest';
import { responseText } from '#features/providers/sent-text.ts';

it('shows of a page what its form sends to the application', () => {
	const input = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}" />`;
	const form = `<form method="post" action="http://localhost:3000/callback" data-submit>\n${input('state', 's0')}`;
	const body = `<!doctype html>\n<html><body>${form}${input('user', '{&quot;name&quot;:1}')}</form></body></html>`;
	const headers = [
		['Content-Type', 'text/html'],
		['X-Request-Id', 'abc'],
		['x-ratelimit-limit', '60']
	] as const;
	expect(
		responseText({ response: { status: 200, headers: headers.map(([name, value]) => [name, value]), body } })
	).toBe(
		[
			'200',
			'Content-Type: text/html',
			'x-ratelimit-limit: 60',
			'',
			'(a page whose form is posted to http://localhost:3000/callback)',
			'state=s0',
			'user={"name":1}'
		].join('\n')
	);
	expect(responseText({ response: { status: 400, headers: [], body: '{"error":"a"}' } })).toBe('400\n\n{"error":"a"}');
	expect(responseText({ response: null })).toBe('');
});
