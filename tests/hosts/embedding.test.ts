import { expect, test } from 'vitest';
import { readEmbedOrigins } from '#hosts/config.server.ts';
import { isEmbedPath, isOpenPolicy, maxEmbedOrigins, openPolicy, parseEmbedOrigins } from '#hosts/embedding.ts';
import { ConfigError } from '#hosts/read-setting.server.ts';
import { missingHeaders, securityHeaders } from '#hosts/security-headers.ts';

const partner = 'https://partner.example';
const closed = "default-src 'self'; frame-ancestors 'none'";

test('reads origins with spaces or commas in between, each once', () => {
	const value = `${partner}, https://lms.partner.example:8443 http://localhost:3000  ${partner}`;
	expect(parseEmbedOrigins(value).origins).toEqual([
		partner,
		'https://lms.partner.example:8443',
		'http://localhost:3000'
	]);
	expect(readEmbedOrigins({})).toEqual([]);
	expect(readEmbedOrigins({ EMBED: '' })).toEqual([]);
	expect(readEmbedOrigins({ EMBED: 'https://xn--mnchen-3ya.example' })).toEqual(['https://xn--mnchen-3ya.example']);
});

/** What would open the pages to others than the operator means, or add something to the policy. */
const hostileEntries = [
	'*',
	'https://*',
	'https://*.partner.example',
	'https:',
	'https://',
	'null',
	"'self'",
	"'none'",
	'data:',
	'javascript:alert(1)',
	'partner.example',
	'//partner.example',
	'http://partner.example',
	'HTTPS://partner.example',
	'https://Partner.example',
	'https://partner.example/',
	'https://partner.example/course',
	'https://partner.example?x=1',
	'https://partner.example#top',
	'https://user:secret@partner.example',
	'https://partner.example@evil.example',
	'https://partner.example:443',
	'https://partner.example:99999',
	'https://partner.example:x',
	'https://partner..example',
	'https://-partner.example',
	'https:\\\\partner.example',
	'https://partner.example;script-src',
	"https://partner.example;frame-ancestors'*'",
	'https://partner.example\r\nX-Frame-Options:ALLOWALL',
	'https://partner.example\thttps://evil.example',
	'https://partner.example\u0000',
	'https://partner\u00ad.example',
	'https://pärtner.example',
	'https://partner.example%2f',
	'http://localhost.evil.example',
	'http://127.0.0.1.evil.example',
	'http://0.0.0.0',
	'https://[::1]',
	'blob:https://partner.example',
	'ws://partner.example',
	'file:///'
];

test.each(hostileEntries)('stops the start with EMBED=%j', (entry) => {
	const read = (value: string) => () => readEmbedOrigins({ EMBED: value });
	expect(read(entry)).toThrow(ConfigError);
	expect(read(`${partner} ${entry}`)).toThrow(/^EMBED contains .* for example https:\/\/partner\.example\./);
	expect(read(entry)).not.toThrow(/secret|\r|\n|\u0000/);
});

test('has a limit, so that the header of each page stays short', () => {
	const many = Array.from({ length: maxEmbedOrigins + 1 }, (_, at) => `https://p${at}.example`).join(' ');
	expect(() => readEmbedOrigins({ EMBED: many })).toThrow('EMBED has 21 origins. Name at most 20.');
});

test('opens the policy of a page for the named origins and for nothing else', () => {
	expect(openPolicy(closed, [partner, 'http://localhost:3000'])).toBe(
		"default-src 'self'; frame-ancestors https://partner.example http://localhost:3000"
	);
	expect(openPolicy(closed, [])).toBe(closed);
	expect(openPolicy("default-src 'none'", [partner])).toBe("default-src 'none'");
});

test.each(['/embed/demo', '/embed/moment', '/embed/lesson/whole-trip'])('%s may be embedded', (path) => {
	expect(isEmbedPath(path)).toBe(true);
});

/** Sign-in, consent, account and all other pages stay closed, however their path is spelled. */
test.each([
	'/',
	'/embed',
	'/embed/',
	'/embed/demo/',
	'/embed/lesson',
	'/embed/lesson/',
	'/embed/lesson/a/b',
	'/embed/lesson/..%2f..%2fws%2foauth2%2fauth',
	'/embed/lesson/../../ws/oauth2/auth/',
	'/embed/demo/../../account',
	'/embed/demo?next=https://evil.example',
	'/EMBED/demo',
	'//embed/demo',
	'/~k3v9x2q7/embed/demo',
	'/~k3v9x2q7/embed/lesson/whole-trip',
	'/ws/oauth2/auth/',
	'/ws/oauth2/auth/embed/demo',
	'/account',
	'/control/status',
	'/viewer',
	'/learn/whole-trip',
	'/guide',
	'/moment',
	'/embed/origins.json',
	`/embed/lesson/${'a'.repeat(61)}`
])('%s stays closed', (path) => {
	expect(isEmbedPath(path)).toBe(false);
});

test('an open page has no X-Frame-Options, which cannot name an origin', () => {
	const security = securityHeaders('https://tollgate.example');
	const namesFor = (policy: string | undefined) =>
		missingHeaders(security, (name) => (name === 'content-security-policy' ? policy : undefined)).map(([name]) => name);
	expect(namesFor(openPolicy(closed, [partner]))).not.toContain('x-frame-options');
	for (const policy of [
		undefined,
		closed,
		"frame-ancestors 'self'",
		'frame-ancestors *',
		'script-src https://a.example'
	])
		expect(namesFor(policy), policy).toContain('x-frame-options');
	expect(isOpenPolicy('frame-ancestors http://localhost:3000')).toBe(true);
});
