import { beforeEach, describe, expect, it } from 'vitest';
import { PageClock } from '#hosts/page/page-clock.ts';
import { headerOf, type SentRequest } from '#hosts/page/page-service.ts';
import { ExerciseService } from '#course/write/engine/exercise-service.ts';
import { pageOrigin, sendAsPage } from '#course/write/engine/page-fetch.ts';

const baseUrl = 'https://tollgate.test';
let service: ExerciseService;
let sent: SentRequest[];

beforeEach(async () => {
	service = new ExerciseService(baseUrl, new PageClock());
	await service.start();
	sent = [];
});

function fetchAsPage(method: string, path: string, headers: SentRequest['headers'] = []) {
	const request = { method, url: baseUrl + path, headers, body: new Uint8Array(0) };
	return sendAsPage(request, (one) => {
		sent.push(one);
		return service.send(one, { by: 'client', line: 1 });
	});
}

it('sends a form with its origin, without a preflight, and reads the headers that the service exposes', async () => {
	const response = await fetchAsPage('POST', '/ws/oauth2/token/', [
		['content-type', 'application/x-www-form-urlencoded']
	]);
	expect(sent.map(({ method }) => method)).toEqual(['POST']);
	expect(sent[0]?.headers).toContainEqual(['origin', pageOrigin]);
	expect(response?.status).toBe(400);
	expect(response && headerOf(response, 'x-request-id')).toBeDefined();
	expect(response && headerOf(response, 'x-frame-options')).toBeUndefined();
});

it('sends a preflight for a header that needs one', async () => {
	const response = await fetchAsPage('GET', '/ws/v2.0/character/Mara%20Vell', [['authorization', 'Bearer wrong']]);
	expect(sent.map(({ method }) => method)).toEqual(['OPTIONS', 'GET']);
	expect(sent[0]?.headers).toContainEqual(['access-control-request-headers', 'authorization']);
	expect(response?.status).toBe(401);
});

describe('rejects, as a browser does,', () => {
	it('a response of an endpoint that allows no origin', async () => {
		await expect(fetchAsPage('GET', '/ws/oauth2/auth/')).rejects.toThrow(/no Access-Control-Allow-Origin/);
	});

	it('a header that the service does not allow, and sends the preflight only', async () => {
		await expect(fetchAsPage('GET', '/ws/v2.0/character/Mara%20Vell', [['x-mine', '1']])).rejects.toThrow(
			/does not allow the header x-mine/
		);
		expect(sent).toHaveLength(1);
	});

	it('a method that the service does not allow', async () => {
		await expect(fetchAsPage('DELETE', '/ws/v2.0/character/Mara%20Vell')).rejects.toThrow(/CORS/);
		expect(sent.map(({ method }) => method)).toEqual(['OPTIONS']);
	});
});
