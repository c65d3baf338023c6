import { expect, test } from 'vitest';
import { pathInSandbox, readAppLocation } from '#features/shell/app-location.ts';

test.each([
	['https://localhost:8443/', '', '', 'https://localhost:8443', undefined],
	['https://localhost:8443/viewer', '', '', 'https://localhost:8443', undefined],
	['https://localhost:8443/~abc/viewer/callback?code=1', '', '/~abc', 'https://localhost:8443/~abc', 'abc'],
	['https://demo.example/tollgate/viewer', '/tollgate', '/tollgate', 'https://demo.example/tollgate', undefined],
	['https://demo.example/tollgate/~abc', '/tollgate', '/tollgate/~abc', 'https://demo.example/tollgate/~abc', 'abc']
])('reads %s with base path "%s"', (url, base, home, baseUrl, sandbox) => {
	const rootUrl = new URL(url).origin + base;
	expect(readAppLocation(new URL(url), base)).toEqual({ home, baseUrl, rootUrl, sandbox });
});

test.each([
	['/~abc/controls/faults', '/~abc', '/controls/faults'],
	['/~abc/moment', '/~abc', '/'],
	['/~abc', '/~abc', '/'],
	['/preset', '', '/'],
	['/viewer/callback', '', '/'],
	['/viewer', '', '/viewer']
])('takes %s below "%s" to %s in another sandbox', (path, home, below) => {
	expect(pathInSandbox(path, home)).toBe(below);
});
