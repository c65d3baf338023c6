import { equal, lacks, matches } from '../assert.ts';
import { testCase, hostCase, storeCase, type Case } from '../case.ts';

/** RV: revocation. */
export const revokeCases: Case[] = [
	storeCase('RV-01 revokes the grant with the refresh token, all access tokens and the consent', async (at) => {
		const user = at.user();
		const other = await at.register('web', ['https://other.example/cb']);
		const kept = await user.offline(other);
		const { access_token, refresh_token } = await user.offline();
		const { access_token: second } = await user.tokens();
		const { access_token: third } = (await at.refresh(refresh_token)).tokens;
		const code = await user.code();
		equal((await at.revoke(refresh_token)).status, 200);
		equal((await at.refresh(refresh_token)).error, 'invalid_grant');
		for (const token of [access_token, second, third]) equal((await at.character(token)).status, 401);
		equal((await at.exchange(code)).error, 'invalid_grant', 'a code of that grant');
		matches((await user.authorize()).text, 'value="approve"');
		equal((await at.character(kept.access_token)).status, 200, 'another application');
		equal((await at.refresh(kept.refresh_token, other)).status, 200);
	}),
	storeCase('RV-01 revokes the whole grant for any refresh token of an installed application', async (at) => {
		const user = at.user();
		const one = await user.offline(at.companion);
		const two = await user.offline(at.companion);
		equal((await at.revoke(two.refresh_token, 'pocket-companion')).status, 200);
		equal((await at.refresh(one.refresh_token, at.companion)).error, 'invalid_grant');
		equal((await at.revoke(one.refresh_token, 'pocket-companion')).error, 'invalid_token');
	}),
	testCase('RV-02 rejects missing, empty and repeated parameters, and unknown clients', async (at) => {
		const { refresh_token } = await at.user().offline();
		const wrong = [
			'',
			`token=${refresh_token}`,
			'client_id=character-viewer',
			`token=&client_id=character-viewer`,
			`token=${refresh_token}&client_id=`,
			`token=${refresh_token}&token=${refresh_token}&client_id=character-viewer`,
			`token=${refresh_token}&client_id=character-viewer&client_id=character-viewer`
		];
		for (const query of wrong) {
			const response = await at.get(`/ws/oauth2/revoke?${query}`);
			equal([response.status, response.error], [400, 'invalid_request'], query.replaceAll(refresh_token, '…'));
		}
		for (const client of ['unknown', '__proto__', 'Character-Viewer']) {
			const response = await at.revoke(refresh_token, client);
			equal([response.status, response.error], [400, 'invalid_client'], client);
		}
		equal((await at.refresh(refresh_token)).status, 200);
	}),
	testCase('RV-02 rejects random, foreign, access and revoked tokens alike, without effect', async (at) => {
		const other = await at.register('web', ['https://other.example/cb']);
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		const foreign = await user.offline(other);
		const gone = await at.user('player-two').offline();
		await at.revoke(gone.refresh_token);
		const texts = new Set<string>();
		for (const token of ['A'.repeat(43), 'x', foreign.refresh_token, access_token, gone.refresh_token]) {
			const response = await at.revoke(token);
			equal([response.status, response.error], [400, 'invalid_token']);
			texts.add(response.text);
		}
		equal(texts.size, 1, 'one text for all');
		equal((await at.refresh(foreign.refresh_token, other)).status, 200);
		equal((await at.character(access_token)).status, 200);
		equal((await at.refresh(refresh_token)).status, 200);
	}),
	hostCase('RV-03 does not revoke for HEAD and POST: 405 with Allow: GET', async (at) => {
		const { refresh_token } = await at.user().offline();
		const target = `/ws/oauth2/revoke?token=${refresh_token}&client_id=character-viewer`;
		const head = await at.send({ method: 'HEAD', target });
		const post = await at.post('/ws/oauth2/revoke', { token: refresh_token, client_id: 'character-viewer' });
		const posted = await at.post(target, '');
		for (const response of [head, post, posted]) equal([response.status, response.header('allow')], [405, 'GET']);
		equal((await at.refresh(refresh_token)).status, 200);
	}),
	hostCase(
		'RV-03 does not revoke for prefetches and link previews',
		async (at) => {
			const { refresh_token } = await at.user().offline();
			const target = `/ws/oauth2/revoke?token=${refresh_token}&client_id=character-viewer`;
			for (const headers of [
				['Sec-Purpose', 'prefetch'],
				['Purpose', 'prefetch'],
				['Sec-Purpose', 'prefetch;prerender'],
				['X-Moz', 'prefetch'],
				['X-Purpose', 'preview'],
				['User-Agent', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
				['User-Agent', 'facebookexternalhit/1.1 Facebot Twitterbot/1.0'],
				['User-Agent', 'WhatsApp/2.23.20.0'],
				['User-Agent', 'TelegramBot (like TwitterBot)'],
				['User-Agent', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
				['User-Agent', 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5']
			]) {
				const response = await at.get(target, ...headers);
				equal(response.status, 400, headers.join(' '));
				equal((await at.refresh(refresh_token)).status, 200, 'the token lives');
			}
			equal((await at.get(target, 'User-Agent', 'curl/8.5.0')).status, 200, 'the application itself');
		},
		['raw headers']
	),
	testCase('RV-04 keeps the token of the URL out of logs, headers and streams', async (at) => {
		const { refresh_token, access_token } = await at.user().offline();
		const stream = await at.stream('traffic/stream');
		const responses = [
			await at.revoke(access_token),
			await at.get(`/ws/oauth2/revoke?client_id=character-viewer&%74oken=${refresh_token}&x=1`),
			await at.get('/ws/v2.0/ratelimits', 'Referer', `https://x.example/?access_token=${access_token}`)
		];
		let seen = '';
		while (seen.split('\ndata: ').length <= responses.length) seen += (await stream.next()) ?? '';
		stream.close();
		for (const text of [
			seen,
			await at.traffic(),
			...responses.map((response) => `${response.headers.join('\n')}${response.text}`)
		]) {
			lacks(text, refresh_token);
			lacks(text, access_token);
		}
		for (const response of responses) equal(response.header('cache-control'), 'no-store');
	})
];
