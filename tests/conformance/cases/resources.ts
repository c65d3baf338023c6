import { equal, fieldsOf, lacks, matches, ok } from '../assert.ts';
import { testCase, hostCase, type Case } from '../case.ts';
import { encode } from '../sandbox.ts';

const path = '/ws/v2.0/character/Mara%20Vell';
const everything = 'character_read location_read inventory_read credits_read';

/** RS: how a token is presented to a resource, and what it opens. */
export const resourceCases: Case[] = [
	testCase('RS-01 accepts the scheme OAuth in any letter case, with one token', async (at) => {
		const { access_token } = await at.user().tokens();
		for (const scheme of ['OAuth ', 'oauth ', 'OAUTH  ', 'oAuTh ']) {
			equal((await at.get(path, 'Authorization', `${scheme}${access_token}`)).status, 200, scheme);
		}
	}),
	testCase('RS-01 sends 401 or 400 for a malformed or other Authorization header', async (at) => {
		const { access_token } = await at.user().tokens();
		const wrong = [
			'OAuth',
			'OAuth ',
			`OAuth a ${access_token}`,
			`OAuth ${access_token} b`,
			`OAuth ${access_token},x`,
			`OAuth oauth_token="${access_token}"`,
			`Basic ${btoa('a:b')}`,
			access_token,
			`OAuth${access_token}`,
			`OAuth ${'x'.repeat(12_000)}`,
			`OAuth ${access_token}\u00e9`,
			'',
			',',
			'OAuth =',
			`Token ${access_token}`
		];
		for (const header of wrong) {
			const response = await at.get(path, 'Authorization', header);
			ok(response.status === 401 || response.status === 400, `${header.slice(0, 60)}: ${response.status}`);
			matches(response.header('www-authenticate'), /^OAuth realm=/, header.slice(0, 60));
			ok(response.limit.limit === 600, 'the four headers');
		}
	}),
	testCase('RS-01 rejects Bearer in strict mode, names the right scheme, and accepts it otherwise', async (at) => {
		const { access_token } = await at.user().tokens();
		const strict = await at.get(path, 'Authorization', `Bearer ${access_token}`);
		equal([strict.status, strict.error], [401, 'invalid_token']);
		matches(strict.text, 'Authorization: OAuth');
		await at.changeSettings({ strict: false });
		equal((await at.get(path, 'Authorization', `Bearer ${access_token}`)).status, 200);
	}),
	testCase('RS-02 accepts the token in the query and redacts it in every log', async (at) => {
		const { access_token } = await at.user().tokens();
		const response = await at.get(`${path}?access_token=${access_token}`);
		equal(response.status, 200);
		matches(response.header('cache-control'), /no-store/);
		lacks(await at.traffic(), access_token);
	}),
	testCase(
		'RS-02 rejects two credentials, even equal ones',
		async (at) => {
			const { access_token } = await at.user().tokens();
			const header = ['Authorization', `OAuth ${access_token}`];
			const two = [
				await at.get(`${path}?access_token=${access_token}`, ...header),
				await at.get(`${path}?access_token=${access_token}&access_token=${access_token}`),
				await at.get(`${path}?access_token=${access_token}&access%5Ftoken=x`),
				await at.get(path, ...header, ...header),
				await at.get(path, ...header, 'Authorization', 'OAuth x')
			];
			for (const response of two) equal([response.status, response.error], [400, 'invalid_request']);
		},
		['raw headers']
	),
	testCase('RS-03 sends 401 without an error code in the challenge if there is no credential', async (at) => {
		for (const target of [path, '/ws/v2.0/ratelimits']) {
			const response = await at.get(target);
			equal([response.status, response.all('www-authenticate')], [401, ['OAuth realm="Tollgate"']]);
			ok(response.limit.remaining >= 0, 'the four headers');
		}
	}),
	testCase('RS-03 rejects malformed and revoked tokens and tokens of another kind', async (at) => {
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		const code = await user.code();
		for (const token of ['garbage', refresh_token, code, 'A'.repeat(43), access_token.slice(1), '__proto__']) {
			const response = await at.character(token);
			equal([response.status, response.error], [401, 'invalid_token']);
			matches(response.header('www-authenticate'), 'error="invalid_token"');
			matches((await at.failedCheck(response)) ?? '', /^access_token\.(known|not_revoked|owners_exist)$/);
		}
		equal((await at.get(`${path}?access_token=`)).status, 401);
		equal((await at.exchange(code)).status, 200, 'the code was left alone');
	}),
	testCase('RS-03 accepts an access token for expires_in seconds of the sandbox clock', async (at) => {
		const { access_token, expires_in } = await at.user().tokens();
		await at.advance(expires_in - 10);
		equal((await at.character(access_token)).status, 200);
		await at.advance(10);
		const expired = await at.character(access_token);
		equal([expired.status, expired.error], [401, 'invalid_token']);
		ok(expired.limit.limit === 600, 'the four headers');
	}),
	testCase('RS-03 sends 403 insufficient_scope for a missing permission', async (at) => {
		const { access_token } = await at.user().tokens(at.viewer, { scope: 'location_read' });
		const response = await at.character(access_token);
		equal([response.status, response.error], [403, 'insufficient_scope']);
		matches(response.header('www-authenticate'), 'error="insufficient_scope", scope="character_read"');
		equal(response.limit.remaining, 599);
		equal((await at.get('/ws/v2.0/ratelimits', 'Authorization', `OAuth ${access_token}`)).status, 200);
	}),
	testCase('RS-03 shows the fields of a permission for own characters only', async (at) => {
		const parts = ['location', 'inventory', 'credits'];
		const { access_token } = await at.user().tokens(at.viewer, { scope: everything });
		const own = await at.character(access_token);
		for (const part of parts) matches(own.text, `"${part}"`);
		const foreign = await at.character(access_token, 'Zoë Šťastná');
		for (const part of parts) lacks(foreign.text, `"${part}"`);
		for (const field of ['name', 'race', 'class', 'level', 'guild']) matches(foreign.text, `"${field}"`);
		const some = await at.user('player-two').tokens(at.viewer, { scope: 'character_read credits_read' });
		const partly = await at.character(some.access_token, 'Half/Life');
		matches(partly.text, '"credits":7');
		lacks(partly.text, '"inventory"');
	}),
	testCase(
		'RS-04 treats permissions as a set, without prefixes or order, separately for each application',
		async (at) => {
			for (const scope of ['character', 'character_readall', 'character_rea']) {
				equal((await at.user().authorize(at.viewer, { scope })).parameter('error'), 'invalid_scope');
			}
			const write = await at.user().tokens(at.viewer, { scope: 'character_write' });
			equal((await at.character(write.access_token)).status, 403, 'character_write is not character_read');
			const other = await at.register('web', ['https://other.example/cb']);
			const user = at.user();
			const wide = await user.tokens(at.viewer, { scope: everything });
			const narrow = await user.tokens(other, { scope: 'character_read', renew_previously_granted: 'yes' });
			equal(narrow.scope, 'character_read', 'the grant of another application is not renewed');
			lacks((await at.character(narrow.access_token)).text, '"credits"');
			matches((await at.character(wide.access_token)).text, '"credits"');
		}
	),
	hostCase('RS-05 finds every demo character in any encoding', async (at) => {
		const { access_token } = await at.user().tokens();
		for (const name of ['Mara Vell', "Tomas d'Arc", 'Zoë Šťastná', 'Half/Life', '100% Orc']) {
			for (const written of [encodeURIComponent(name), encodeURIComponent(name.normalize('NFD')), everyByte(name)]) {
				for (const slash of ['', '/']) {
					const response = await at.get(`/ws/v2.0/character/${written}${slash}?access_token=${access_token}`);
					equal([response.status, fieldsOf(response.json()).name], [200, name], `${written}${slash}`);
				}
			}
		}
		equal((await at.character(access_token, 'mara vell')).status, 404, 'capitals count');
	}),
	hostCase(
		'RS-05 sends 404 or 400 for odd names in the format of the API',
		async (at) => {
			const { access_token } = await at.user().tokens();
			const odd = [
				'a%2Fb',
				'%00',
				'%2e%2e',
				'%',
				'%ff',
				'%zz',
				'__proto__',
				'constructor',
				'Mara+Vell',
				'Half/Life',
				'x//',
				'//',
				'%0D%0AX:y',
				encodeURIComponent('x'.repeat(5000)),
				'%F0%9F%98%80',
				'Mara%20Vell%00',
				'Mara%20Vell%2F',
				'..'
			];
			for (const name of odd) {
				const response = await at.get(`/ws/v2.0/character/${name}`, 'Authorization', `OAuth ${access_token}`);
				ok(response.status === 404 || response.status === 400, `${name.slice(0, 30)}: ${response.status}`);
				matches(response.header('content-type'), 'application/json');
				ok(['not_found', 'invalid_request'].includes(response.error), response.text);
				lacks(response.text, '<');
			}
		},
		['raw target']
	),
	hostCase('RS-05 does not redirect a trailing slash with the token in the query', async (at) => {
		const { access_token } = await at.user().tokens();
		const response = await at.get(`/ws/v2.0/ratelimits/?${encode({ access_token })}`);
		equal([response.status, response.header('location')], [200, undefined]);
	})
];

function everyByte(text: string): string {
	return [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
