import { randomUUID } from 'node:crypto';
import { rulesIn } from '#evidence/provider-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { buildRun } from '#evidence/run.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { openPushed, pkce, requestUriOf, verifier } from '../conformance/standard.ts';
import { codeOf } from '../conformance/user-agent.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from '../service/test-service.ts';

const client_id = 'character-viewer';
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** What a client that pushes requests and signs assertions does, unless it is right. */
export type PushingMistake =
	| 'stores the URL'
	| 'repeats the parameters'
	| 'keeps its assertion'
	| 'signs for a year'
	| 'other aud';

/** Runs two sign-ins against a service. Returns the rules that fail. */
export async function examinePushing(mistake: PushingMistake | undefined, pause: number): Promise<string[]> {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const sign = await registerKey(at);
	let kept: string | undefined;
	const post = async (path: string, fields: Readonly<Record<string, string>>) => {
		const now = Math.floor((await at.now()) / 1000);
		const exp = now + (mistake === 'signs for a year' ? 31_536_000 : 600);
		const aud = mistake === 'other aud' ? 'https://auth.example.com' : at.base_url;
		const fresh = await sign({ iss: client_id, sub: client_id, aud, exp, jti: randomUUID() });
		kept ??= fresh;
		const client_assertion = mistake === 'keeps its assertion' ? kept : fresh;
		const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
		return at.post(path, { ...fields, client_assertion, client_assertion_type });
	};
	const { redirect_uri } = at.viewer;
	const user = at.user();
	let stored: string | undefined;
	for (let signIn = 0; signIn < 3; signIn++) {
		const request = { client_id, redirect_uri, response_type: 'code', scope: 'character_read', ...pkce };
		const pushed = await post('/ws/oauth2/par', { ...request, state: randomUUID() });
		tested.clock += pause * 1000;
		if (pushed.status !== 201) continue;
		stored ??= requestUriOf(pushed);
		const request_uri = mistake === 'stores the URL' ? stored : requestUriOf(pushed);
		const more = mistake === 'repeats the parameters' ? { scope: 'character_read' } : {};
		const first = await openPushed(user, request_uri, more);
		if (first.status !== 303) continue;
		const page = first.location.startsWith(`${at.base_url}/ws/`) ? await user.open(first.location) : first;
		const consent = page.text.includes('name="password"') ? await user.signInOn(page) : page;
		const callback = consent.text.includes('value="approve"') ? await user.decide(consent) : consent;
		const code = codeOf(callback);
		await post('/ws/oauth2/token/', { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier });
	}
	const findings = evaluateRules(rulesIn('standard'), buildRun(await readEntries(at)));
	// All sign-ins of this test have the challenge of RFC 7636, appendix B.
	return findings.flatMap(({ rule, verdict }) =>
		verdict === 'failed' && rule !== 'request.challenge_fresh' ? rule : []
	);
}

async function registerKey(at: Sandbox): Promise<(claims: object) => Promise<string>> {
	const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
	const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
	await at.controlled('PATCH', `applications/${client_id}`, { jwks: { keys: [{ kty, crv, x, y }] } });
	return async (claims) => {
		const content = `${encoded({ alg: 'ES256' })}.${encoded(claims)}`;
		const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
		const signed = await crypto.subtle.sign(algorithm, pair.privateKey, Buffer.from(content));
		return `${content}.${Buffer.from(signed).toString('base64url')}`;
	};
}

export const pushingMistakes: readonly (readonly [PushingMistake, string])[] = [
	['stores the URL', 'request.pushed_fresh'],
	['repeats the parameters', 'request.pushed_alone'],
	['keeps its assertion', 'assertion.fresh'],
	['signs for a year', 'assertion.short'],
	['other aud', 'assertion.audience']
];
