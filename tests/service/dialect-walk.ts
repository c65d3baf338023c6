import fc from 'fast-check';
import { dialectNames, type DialectName } from '#api/dialect.ts';
import { AssertionFailure } from '../conformance/assert.ts';
import type { TestResponse } from '../conformance/response.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { basic, pkce, verifier } from '../conformance/standard.ts';
import type { TestUser } from '../conformance/user-agent.ts';

/** One request of a walk: what is sent, and two numbers that choose its details. */
type Step = { readonly kind: keyof typeof requests; readonly choice: number; readonly which: number };

/** What a walk has got so far, of both dialects. */
type Walk = {
	readonly at: Sandbox;
	readonly user: TestUser;
	dialect: DialectName;
	readonly codes: string[];
	readonly accessTokens: string[];
	readonly refreshTokens: string[];
};

/** One of a list, or seldom a value that was never issued. */
const pick = (list: readonly string[], which: number) =>
	list[which === 0 ? list.length : which % list.length] ?? 'made-up';

const asked: readonly Record<string, string>[] = [
	{},
	pkce,
	{ ...pkce, scope: 'openid profile character_read', nonce: 'n' },
	{ ...pkce, scope: 'openid', prompt: 'none' },
	{ ...pkce, scope: 'openid', prompt: 'login', max_age: '0' },
	{ scope: 'openid', nonce: 'n' },
	{ access_type: 'offline' },
	{ ...pkce, scope: 'openid email', prompt: 'consent' }
];

/** Each sends a request. It says in which dialect a success is right; undefined: in both. */
const requests = {
	async authorize({ at, user, codes }: Walk, { choice }: Step) {
		const response = await user.allow(at.viewer, asked[choice % asked.length]);
		const code = response.header('location') === undefined ? undefined : response.parameter('code');
		if (code !== undefined) codes.push(code);
		return { response, only: undefined };
	},
	async exchange({ at, codes, accessTokens, refreshTokens }: Walk, { choice, which }: Step) {
		const { client_id, client_secret, redirect_uri } = at.viewer;
		const isBasic = choice % 2 === 1;
		const form = {
			grant_type: 'authorization_code',
			code: pick(codes, which),
			redirect_uri,
			code_verifier: choice % 4 < 2 ? verifier : undefined,
			...(isBasic ? {} : { client_id, client_secret })
		};
		const response = await at.token(form, ...(isBasic ? basic(at.viewer) : []));
		keep(response, accessTokens, refreshTokens);
		return { response, only: isBasic ? 'standard' : undefined };
	},
	async refresh({ at, accessTokens, refreshTokens }: Walk, { which }: Step) {
		const response = await at.refresh(pick(refreshTokens, which));
		keep(response, accessTokens, refreshTokens);
		return { response, only: undefined };
	},
	async revoke({ at, refreshTokens, accessTokens }: Walk, { choice, which }: Step) {
		const token = pick(choice % 3 === 0 ? accessTokens : refreshTokens, which);
		if (choice % 2 === 0) return { response: await at.revoke(token), only: 'specification' };
		return { response: await at.post('/ws/oauth2/revoke', { token }, ...basic(at.viewer)), only: 'standard' };
	},
	async introspect({ at, accessTokens }: Walk, { which }: Step) {
		const form = { token: pick(accessTokens, which) };
		return { response: await at.post('/ws/oauth2/introspect', form, ...basic(at.viewer)), only: 'standard' };
	},
	async character({ at, accessTokens }: Walk, { choice, which }: Step) {
		const token = pick(accessTokens, which);
		const path = '/ws/v2.0/character/Mara%20Vell';
		if (choice % 3 === 0) return { response: await at.get(`${path}?access_token=${token}`), only: 'specification' };
		const isBearer = choice % 3 === 1;
		const header = `${isBearer ? 'Bearer' : 'OAuth'} ${token}`;
		return { response: await at.get(path, 'Authorization', header), only: isBearer ? 'standard' : 'specification' };
	},
	async userinfo({ at, accessTokens }: Walk, { choice, which }: Step) {
		const header = `${choice % 2 === 0 ? 'Bearer' : 'OAuth'} ${pick(accessTokens, which)}`;
		return { response: await at.get('/ws/oauth2/userinfo', 'Authorization', header), only: 'standard' };
	},
	async metadata({ at }: Walk, { choice }: Step) {
		const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-protected-resource', '/ws/oauth2/jwks'];
		return { response: await at.get(paths[choice % paths.length] ?? ''), only: 'standard' };
	},
	async change(walk: Walk, { choice }: Step) {
		walk.dialect = dialectNames[choice % 2] ?? 'specification';
		return { response: await walk.at.control('PATCH', 'settings', { dialect: walk.dialect }), only: undefined };
	},
	async disturb({ at }: Walk, { choice }: Step) {
		const changes = [
			['POST', 'clock', { advance: 300 }],
			['POST', 'faults', { endpoint: 'token', kind: 'id_token_unsigned' }],
			['POST', 'signing_keys', { alg: 'ES256' }],
			['DELETE', 'faults', undefined]
		] as const;
		const [method, path, body] = changes[choice % changes.length] ?? changes[0];
		return { response: await at.control(method, path, body), only: undefined };
	}
} as const satisfies Record<
	string,
	(walk: Walk, step: Step) => Promise<{ response: TestResponse; only: DialectName | undefined }>
>;

function keep(response: TestResponse, accessTokens: string[], refreshTokens: string[]): void {
	if (response.status !== 200) return;
	const { access_token, refresh_token } = response.tokens;
	accessTokens.push(access_token);
	if (refresh_token !== undefined) refreshTokens.push(refresh_token);
}

const isKind = (name: string): name is Step['kind'] => name in requests;

const step: fc.Arbitrary<Step> = fc.record({
	kind: fc.constantFrom(...Object.keys(requests).filter(isKind)),
	choice: fc.nat(100),
	which: fc.nat(100)
});

/** Sequences of requests of clients and owners. */
export const walks = (length: number) => fc.array(step, { minLength: length, maxLength: length });

/**
 * Sends requests while the dialect changes. No response is a server error, and none succeeds that only the other dialect has.
 * @throws AssertionFailure for the first that does
 */
export async function walk(at: Sandbox, steps: readonly Step[]): Promise<void> {
	await at.changeSettings({ limits: { character: 100_000 } });
	const user = at.user();
	const first = await user.offline();
	const state: Walk = {
		at,
		user,
		dialect: 'specification',
		codes: [],
		accessTokens: [first.access_token],
		refreshTokens: [first.refresh_token]
	};
	for (const one of steps) {
		const { response, only } = await requests[one.kind](state, one);
		const { status, text } = response;
		const wrong = only !== undefined && only !== state.dialect && status < 400;
		if (status >= 500 || wrong)
			throw new AssertionFailure(`${one.kind} ${one.choice} in ${state.dialect}: ${status} ${text.slice(0, 300)}`);
	}
}
