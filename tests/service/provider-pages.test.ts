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
