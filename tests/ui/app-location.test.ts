import { expect, test } from 'vitest';
import { readAppLocation } from '#ui/app-location.ts';

test.each([
	['https://localhost:8443/', '', '', 'https://localhost:8443', undefined],
	['https://localhost:8443/viewer', '', '', 'https://localhost:8443', undefined],
	['https://localhost:8443/~abc/viewer/callback?code=1', '', '/~abc', 'https://localhost:8443/~abc', 'abc'],
	['https://demo.example/tollgate/viewer', '/tollgate', '/tollgate', 'https://demo.example/tollgate', undefined],
	['https://demo.example/tollgate/~abc', '/tollgate', '/tollgate/~abc', 'https://demo.example/tollgate/~abc', 'abc']
])('reads %s with base path "%s"', (url, base, home, baseUrl, sandbox) => {
	expect(readAppLocation(new URL(url), base)).toEqual({ home, baseUrl, sandbox });
});
