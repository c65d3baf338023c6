import { equal, ok } from '../assert.ts';
import { isVerified, keyedCase, publicKeys, rotate, signIn } from '../openid.ts';
import { pkce, standardCase, standardStoreCase } from '../standard.ts';

/** OpenID Connect: the keys that sign ID tokens. */
export const standardKeyCases = [
	standardCase('no key is made before a client needs one', async (at) => {
		equal((await at.controlled('GET', 'signing_keys')).json(), { keys: [] });
		await at
			.user()
			.tokens(at.viewer, { ...pkce })
			.catch(() => undefined);
		equal((await at.controlled('GET', 'signing_keys')).json(), { keys: [] });
		equal((await publicKeys(at)).length, 1);
	}),
	standardStoreCase('20 clients that ask at once get one key', async (at) => {
		const all = await Promise.all(Array.from({ length: 20 }, () => publicKeys(at)));
		equal(new Set(all.map(([key]) => key?.kid)).size, 1);
	}),
	standardStoreCase('a token of the key before is verified after a rotation, and not after three', async (at) => {
		await rotate(at, 'ES256');
		const { id } = await signIn(at);
		await rotate(at);
		ok(await isVerified(at, id), 'after one rotation');
		equal((await signIn(at)).id.header.kid !== id.header.kid, true);
		await rotate(at, 'RS256');
		await rotate(at, 'ES256');
		equal(await isVerified(at, id), false);
		equal(
			(await publicKeys(at)).map(({ alg }) => alg),
			['ES256', 'RS256', 'ES256']
		);
	}),
	standardCase('public keys have no private part', async (at) => {
		await rotate(at, 'ES256');
		await signIn(at);
		for (const key of await publicKeys(at))
			for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi']) ok(!(part in key), part);
	}),
	standardCase('a rotation needs the right to control the sandbox', async (at) => {
		const request = { method: 'POST', target: '/control/signing_keys', headers: ['Content-Type', 'application/json'] };
		equal((await at.send({ ...request, body: '{}' })).status, 403);
		equal((await at.control('POST', 'signing_keys', { alg: 'none' })).status, 400);
	}),
	keyedCase('keys are not in a snapshot, and a restored one makes its own', async (at) => {
		const [before] = await publicKeys(at);
		const snapshot = (await at.controlled('GET', 'snapshot')).text;
		ok(!snapshot.includes('signing_key') && !snapshot.includes(before?.kid ?? 'no key'), 'they are not in it');
		await at.controlled('POST', 'reset');
		await at.changeSettings({ dialect: 'standard' });
		ok((await publicKeys(at))[0]?.kid !== before?.kid, 'a reset sandbox has another key');
	})
];
