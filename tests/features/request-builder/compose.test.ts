import { expect, test } from 'vitest';
import { toCurl } from '#features/inspector/copy-as/curl.ts';
import { codeParts, rawRequest, requestOf } from '#features/request-builder/compose.ts';
import { change, set, type RequestDraft } from '#features/request-builder/draft.ts';
import { worldApplications } from '#features/request-builder/application.ts';
import { newDrafts, setAll } from '#features/request-builder/drafts.ts';
import { mistakesOf } from '#features/request-builder/mistakes/mistakes.ts';
import { demoWorld } from '../../client/demo-world.ts';

const baseUrl = 'https://service.test/~abc';
const [application = worldApplications(demoWorld, baseUrl)[0]] = worldApplications(demoWorld, baseUrl);
if (application === undefined) throw new Error('no demo application');
const drafts = setAll(newDrafts(application, 'a state'), {
	code: 'the-code',
	refresh_token: 'the-refresh-token',
	token: 'the-refresh-token',
	Authorization: 'OAuth the-access-token'
});
const secrets = /the-(?:code|refresh-token|access-token)|viewer-secret/;

test.each(Object.entries(drafts))('shows no secret of %s', (_, draft) => {
	expect(toCurl(codeParts(draft, baseUrl))).not.toMatch(secrets);
	expect(rawRequest(draft, baseUrl)).not.toMatch(secrets);
});

test('writes a token request as curl with variables', () => {
	expect(toCurl(codeParts(drafts.refresh, baseUrl))).toBe(
		`curl -i --globoff --path-as-is 'https://service.test/~abc/ws/oauth2/token/' \\
  -H 'Accept: application/json' \\
  --data-urlencode 'grant_type=refresh_token' \\
  --data-urlencode 'refresh_token='"$REFRESH_TOKEN" \\
  --data-urlencode 'client_id=character-viewer' \\
  --data-urlencode 'client_secret='"$CLIENT_SECRET"`
	);
});

test('writes the scheme of an Authorization header, and encodes the name of a character', () => {
	expect(rawRequest(set(drafts.character, 'character_name', 'Half/Life'), baseUrl)).toBe(
		`GET /~abc/ws/v2.0/character/Half%2FLife HTTP/1.1
Host: service.test
Authorization: OAuth $ACCESS_TOKEN
Accept: application/json`
	);
});

test('sends a form with all values, and leaves out what is switched off', () => {
	const { init } = requestOf(change(drafts.refresh, { client_id: { isOn: false } }), baseUrl);
	expect(init.body).toBe('grant_type=refresh_token&refresh_token=the-refresh-token&client_secret=viewer-secret');
});

test('writes a JSON body and HTTP Basic without secrets', () => {
	expect(rawRequest(withMistake('json_body'), baseUrl)).toContain(
		`Content-Type: application/json\n\n{\n  "grant_type": "refresh_token",\n  "refresh_token": "$REFRESH_TOKEN",`
	);
	expect(rawRequest(withMistake('http_basic'), baseUrl)).toContain('Authorization: Basic $CREDENTIALS');
});

function withMistake(id: string): RequestDraft {
	const mistake = mistakesOf('refresh', 'specification').find((one) => one.id === id);
	if (mistake === undefined || application === undefined) throw new Error(`no mistake ${id}`);
	const flags = { isStrict: true, usesPkce: false, accessToken: '' };
	const context = { application, other: application, drafts, world: demoWorld, recordKind: undefined, ...flags };
	return mistake.change(drafts.refresh, context);
}
