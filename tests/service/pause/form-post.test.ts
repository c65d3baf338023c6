import { describe, expect, it } from 'vitest';
import { challenge, navigation, opened } from './paused-sandbox.ts';

describe('an authorization response with form_post', () => {
	/** A response that waits, in the dialect that has this response mode. */
	async function waiting() {
		const { service, at, hold, held, decide, user } = await opened();
		await at.controlled('PATCH', 'settings', { dialect: 'standard' });
		const asked = { response_mode: 'form_post', state: 'of "the" client', code_challenge: challenge };
		const page = await user.openConsent(at.viewer, { ...asked, code_challenge_method: 'S256' });
		await hold('authorization_response');
		const fields = { interaction: page.hidden('interaction'), decision: 'approve' };
		const response = await user.post('/ws/oauth2/auth/', fields, ...navigation);
		const [message] = await held();
		const open = (location = '') => user.open(location.slice(at.prefix.length), ...navigation);
		return { service, at, decide, response, message, open };
	}

	it('waits as a form, and is posted with its changes', async () => {
		const { at, decide, response, message, open } = await waiting();
		expect(response.header('location')).toContain(`/pause?message=${message?.id}`);
		expect(message).toMatchObject({
			point: 'authorization_response',
			response_mode: 'form_post',
			target: at.viewer.redirect_uri
		});
		expect(message?.parameters.map(({ name }) => name)).toEqual(['code', 'state', 'iss']);
		const { location, is_form } = await decide({
			action: 'release',
			changes: { state: 'it’s <changed>', iss: null, added: '1' }
		});
		expect([location, is_form]).toEqual([expect.stringContaining(`${at.prefix}/ws/oauth2/auth/?released=`), undefined]);
		const form = await open(location);
		expect(form.text).toContain(`<form method="post" action="${at.viewer.redirect_uri}" data-submit>`);
		expect(form.header('content-security-policy')).toContain(new URL(at.viewer.redirect_uri).origin);
		expect([form.hidden('code'), form.hidden('state'), form.hidden('added')]).toEqual([
			expect.stringMatching(/^[\w-]{43}$/),
			expect.stringContaining('&lt;changed&gt;'),
			'1'
		]);
		expect(form.text).not.toContain('name="iss"');
		expect((await open(location)).text, 'once').not.toContain('name="code"');
	});

	it('is posted as sent if nothing is changed, without cookies of its browser', async () => {
		const { message, decide, open } = await waiting();
		const form = await open((await decide({ action: 'release' })).location);
		expect(message?.parameters.map(({ name }) => name)).toEqual(['code', 'state', 'iss']);
		expect(form.text).toContain('name="state" value="of &quot;the&quot; client"');
		expect(form.header('set-cookie')).toBeUndefined();
	});

	it('is never posted if it is dropped', async () => {
		const { decide } = await waiting();
		expect(await decide({ action: 'drop' })).toEqual({});
	});
});
