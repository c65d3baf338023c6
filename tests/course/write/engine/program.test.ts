import { describe, expect, it, vi } from 'vitest';
import { PageClock } from '#hosts/page/page-clock.ts';
import { ExerciseService } from '#course/write/engine/exercise-service.ts';
import { Program, ProgramError, type ConsoleLine } from '#course/write/engine/program/program.ts';
import type { ToProgram } from '#course/write/engine/program/messages.ts';
import { ExerciseSurroundings } from '#course/write/engine/surroundings.ts';
import { UserBrowser } from '#course/write/engine/user-browser.ts';
import { openFunctionRealm } from './function-realm.ts';

const surroundings = "import { browser, clock, config, storage } from './surroundings';\n";

/** What `run()` of a program returns, with its console. */
async function resultOf(body: string, head = ''): Promise<{ value: unknown; lines: ConsoleLine[]; clock: PageClock }> {
	const lines: ConsoleLine[] = [];
	const service = new ExerciseService('https://tollgate.test', new PageClock());
	await service.start();
	const program = new Program();
	const reached = new ExerciseSurroundings(service, new UserBrowser(service), (line) => void lines.push(line));
	await program.start(`${surroundings}${head}export async function run() {\n${body}\n}`, reached, openFunctionRealm);
	try {
		const { value } = await program.call('run');
		return { value, lines, clock: service.clock };
	} finally {
		program.stop('The test is over.');
	}
}

/** The error that `run()` throws. */
async function errorOf(body: string): Promise<ProgramError> {
	const thrown: unknown = await resultOf(body).catch((error: unknown) => error);
	if (thrown instanceof ProgramError) return thrown;
	throw new Error('The program threw nothing.');
}

describe('the clock of a program', () => {
	it('is that of the exercise in Date, performance and setTimeout', async () => {
		const { value } = await resultOf(`
  const begin = [Date.now(), new Date().getTime(), performance.now(), Date.parse(Date())];
  await new Promise((resolve) => setTimeout(resolve, 600_000));
  await clock.sleep(600_000);
  const end = [Date.now(), new Date().getTime(), performance.now(), Date.parse(Date())];
  return end.map((at, index) => Math.round((at - begin[index]) / 60_000));`);
		expect(value).toEqual([20, 20, 20, 20]);
	});

	it('keeps the order of timers, and forgets those that were cleared', async () => {
		const { value } = await resultOf(`
  const order = [];
  const timer = (name, time) => setTimeout((said) => order.push(said), time, name);
  timer('c', 3000);
  timer('a', 5);
  clearTimeout(timer('never', 1000));
  timer('b', 2000);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  return [order.join(''), new Date(2020, 0) instanceof Date, Date.UTC(2020, 0)];`);
		expect(value).toEqual(['abc', true, 1_577_836_800_000]);
	});
});

describe('errors of a program', () => {
	it.each([
		['const { url } = undefined;', '“url” cannot be read, because the value is undefined.'],
		['return null.a;', '“a” cannot be read, because the value is null.'],
		['return nowhere;', 'There is no “nowhere” here.'],
		['return storage.keep();', '“storage.keep” is not a function.'],
		["JSON.parse('a');", 'The text is not JSON.'],
		["const r = new Response('a'); await r.text(); await r.text();", 'The body of the response was read before.'],
		['const again = () => again(); again();', 'A function calls itself without an end.']
	])('have own words: %s', async (body, text) => {
		expect(await errorOf(body)).toMatchObject({ message: text, line: 3 });
	});

	it('have the line that asked for another address', async () => {
		const error = await errorOf("await storage.get('a');\nawait fetch('https://elsewhere.example/');");
		expect(error.message).toContain('https://elsewhere.example/ is not part of it');
		expect(error.line).toBe(4);
	});

	it('have the line of a mistake that only the engine meets', async () => {
		const error = errorOf2('const a = 1;\nconst a = 2;\n', 'return a;');
		expect(await error).toMatchObject({ line: 3, message: expect.stringContaining('“a” is declared before line 3') });
	});

	it('name no module of the compiler', async () => {
		const error = errorOf2("import { nothing } from './tollgate-client';\n", 'nothing();');
		expect((await error).message).toBe('The module “./tollgate-client” exports no “nothing”.');
	});
});

async function errorOf2(head: string, body: string): Promise<Error> {
	const thrown: unknown = await resultOf(body, head).catch((error: unknown) => error);
	return thrown instanceof Error ? thrown : new Error('nothing');
}

it('has the functions of a console', async () => {
	const { lines } = await resultOf(`
  console.table([1]); console.dir({ a: 1 }); console.group('b'); console.groupEnd(); console.trace('c');
  console.assert(true, 'd'); console.assert(false, 'e'); console.time('f'); console.timeEnd('f');`);
	expect(lines.map(({ text }) => text)).toEqual(['[1]', '{ a: 1 }', 'b', 'c', 'Assertion failed e']);
});

it('may await at its top', async () => {
	const { value } = await resultOf(
		'return kept;',
		"await storage.set('a', 1);\nconst kept = await storage.get('a');\n"
	);
	expect(value).toBe(1);
});

describe('what a program reaches of its service', () => {
	it.each([
		'/control/traffic',
		'//control/traffic',
		'/%63ontrol/traffic',
		'/CONTROL/traffic',
		'/ws/../control/traffic',
		'/ws/%2e%2e/control/traffic',
		'/~root/control/traffic',
		'/%7Eroot/control/traffic',
		'/account',
		'/mcp'
	])('is not %s', async (path) => {
		const { value } = await resultOf(`
  const results = [];
  for (const send of [fetch, browser.fetch]) {
    const response = await send(config.issuer + '${path}', { method: 'DELETE' });
    results.push([response.status, (await response.json()).error_description]);
  }
  return results;`);
		const rejected = [403, 'A program here reaches the service as a client does. Use the URLs in config.'];
		expect(value).toEqual([rejected, rejected]);
	});

	it('is no page in the user’s browser, and no form of a page', async () => {
		const { value } = await resultOf(`
  const response = await fetch(config.authorizationUrl, { method: 'POST', body: new URLSearchParams({ decision: 'allow' }) });
  const opened = await browser.open(config.issuer + '/control/authorization-response?a=b').catch(({ message }) => message);
  return [response.status, opened];`);
		expect(value).toEqual([
			403,
			'The user’s browser opens the authorization endpoint and your redirect URI only. /control/authorization-response is another page.'
		]);
	});
});

it('counts the time of a program that computes while the user decides', async () => {
	vi.useFakeTimers();
	const service = new ExerciseService('https://tollgate.test', new PageClock());
	const reached = new ExerciseSurroundings(service, new UserBrowser(service), () => undefined);
	/** How long a run lasts whose program responds to a ping after some time. */
	const lasts = async (late: number): Promise<readonly [reason: string, seconds: number]> => {
		const { port1 } = new MessageChannel();
		const say = (data: unknown) => port1.onmessage?.(new MessageEvent('message', { data }));
		port1.postMessage = (message: ToProgram) => {
			if (message.type === 'start') queueMicrotask(() => say({ type: 'started', names: [] }));
			else if (message.type === 'ping') setTimeout(() => say({ type: 'pong' }), late);
		};
		const program = new Program();
		await program.start('', { ...reached, isWaiting: () => true }, async () => ({
			port: port1,
			end: () => port1.close()
		}));
		const begin = performance.now();
		const stopped = program
			.call('run')
			.catch((error: unknown) => [error instanceof Error ? error.message : '', performance.now() - begin]);
		await vi.advanceTimersByTimeAsync(700_000);
		const [reason, time] = await stopped.then((found) => (Array.isArray(found) ? found : ['', 0]));
		return [String(reason), Math.round(Number(time) / 1000)];
	};
	expect(await lasts(300)).toEqual(['Stopped. The run took more than 60 seconds.', 61]);
	expect(await lasts(5)).toEqual(['Stopped. A page waited for the user for more than 10 minutes.', 600]);
	vi.useRealTimers();
});

describe('messages that the page did not ask for', () => {
	/** Runs a program whose realm sends other messages. */
	async function stopReason(...messages: readonly object[]): Promise<string> {
		const service = new ExerciseService('https://tollgate.test', new PageClock());
		await service.start();
		const program = new Program();
		const reached = new ExerciseSurroundings(service, new UserBrowser(service), () => undefined);
		const { port1, port2 } = new MessageChannel();
		const sent = program.start('', reached, async () => ({ port: port1, end: () => port1.close() }));
		port2.onmessage = ({ data }: MessageEvent<ToProgram>) => {
			if (data.type === 'start') for (const message of messages) port2.postMessage(message);
		};
		const outcome: unknown = await sent.then(() => program.call('run')).catch((error: unknown) => error);
		port2.close();
		return outcome instanceof Error ? outcome.message : '';
	}
	const started = { type: 'started', names: ['run'] };
	const notUnderstood = 'Stopped. The program sent something that the page does not understand.';

	it.each([
		['a pong', { type: 'pong' }],
		['a result of an unknown call', { type: 'returned', id: 7, value: 1, text: '1' }],
		['an error of an unknown call', { type: 'threw', id: 7, error: { name: 'Error', message: '' } }]
	])('stop a program: %s', async (_, message) => {
		expect(await stopReason(message, started)).toBe(notUnderstood);
	});

	it('stop a program that starts twice, or sends without an end', async () => {
		expect(await stopReason(started, started)).toBe(notUnderstood);
		const clear = { type: 'request', id: 1, kind: 'clear', value: 1 };
		expect(await stopReason(...Array.from({ length: 2501 }, () => clear), started)).toBe(
			'Stopped. The program sent more than 2,500 messages to the page.'
		);
	});
});
