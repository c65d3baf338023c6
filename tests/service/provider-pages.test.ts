import { expect, it } from 'vitest';
import { createTestService } from './test-service.ts';

it('says on each page of a simulated provider whose it is not, and on no other', async () => {
	const { transport } = createTestService();
	const read = async (target: string) => (await transport.send({ target }))?.body;
	const uri = encodeURIComponent(`${transport.origin}/viewer/callback`);
	const query = `response_type=code&client_id=character-viewer&state=s&scope=user&redirect_uri=${uri}`;
	const note = 'Simulated. Not affiliated with GitHub.';
	expect(await read(`/as/github/login/oauth/authorize?${query}`)).toContain(note);
	expect(await read('/as/github/login/oauth/authorize?client_id=unknown')).toContain(note);
	const own = await read(`/ws/oauth2/auth/?${query.replace('scope=user', 'scope=character_read')}&access_type=online`);
	expect(own).toContain('Sign in');
	expect(own).not.toContain('affiliated');
});

it('keeps a sign-in at the real URL of a provider, with the styles of the service', async () => {
	const { transport } = createTestService();
	const at = `/as/github/login/oauth/authorize?client_id=character-viewer&scope=user`;
	const page = async (host: string) => {
		const response = await transport.send({ target: at, headers: ['x-forwarded-host', host] });
		const policy = response?.headers[response.headers.indexOf('Content-Security-Policy') + 1] ?? '';
		return { action: /<form[^>]*action="([^"]*)"/.exec(response?.body ?? '')?.[1], policy };
	};
	const real = await page('github.com');
	expect(real.action).toBe('https://github.com/login/oauth/authorize');
	expect(real.policy).toContain(`style-src 'self' ${transport.origin}/service.css`);
	// A host that the provider does not have changes nothing.
	const other = await page('github.example');
	expect(other.action).toBe(`${transport.origin}/as/github/login/oauth/authorize`);
	expect(other.policy).toMatch(/style-src 'self';/);
});

it('accepts the forms of a page at the real URL from there only', async () => {
	const { transport } = createTestService();
	const post = async (host: string, origin: string) => {
		const headers = ['X-Forwarded-Host', host, 'Origin', origin, 'Content-Type', 'application/x-www-form-urlencoded'];
		const body = 'interaction=unknown&username=player-one&password=demo';
		const target = '/as/github/login/oauth/authorize';
		return (await transport.send({ method: 'POST', target, headers, body }))?.body.includes(
			'from a page of another site'
		);
	};
	expect(await post('github.com', 'https://github.com')).toBe(false);
	expect(await post('github.com', transport.origin)).toBe(true);
	expect(await post('github.example', 'https://github.example')).toBe(true);
	expect(await post('tollgate.test', 'https://github.com')).toBe(true);
});
