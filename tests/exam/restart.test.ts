import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ProbeId } from '#api/exam.ts';
import { ControlError } from '#client/control-api/control-api.ts';
import { runExam, type Progress } from '#exam/run-exam.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import { createMemoryStore } from '#store/memory.ts';
import { createHostlessService } from '../conformance/hosts/direct.ts';
import { prepareClient, type ServiceAccess } from './client-under-test.ts';
import { fetchOf } from './in-process.ts';
import { startVirtualClock } from './virtual-clock.ts';

let stopClock: () => void;
beforeEach(() => (stopClock = startVirtualClock()));
afterEach(() => stopClock());

/** A service that can be ended and started again, with the same records and another traffic log. */
class Restartable {
	readonly #records = createMemoryStore(recordLimits);
	#handler: typeof fetch | undefined;
	#end = new AbortController();

	start(): ServiceAccess {
		const service = createHostlessService(Date.now, this.#records);
		this.#handler = fetchOf(service.handle);
		const send = this.#send;
		return { rootUrl: service.origin, fetch: (url, init) => send(url, init), clientFetch: send };
	}

	end(): void {
		this.#handler = undefined;
		this.#end.abort();
		this.#end = new AbortController();
	}

	readonly #send: typeof fetch = async (input, init) => {
		if (this.#handler === undefined) throw new TypeError('There was no response.');
		const response = await this.#handler(input, init);
		if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
		const { signal } = this.#end;
		const body = response.body?.pipeThrough(new TransformStream(), { signal });
		return new Response(body, { status: response.status, headers: response.headers });
	};
}

/** Ends the service during a probe. @param pause until it starts again, in milliseconds */
function endDuring(service: Restartable, wanted: ProbeId, pause: number): (progress: Progress) => void {
	let isOver = false;
	return (progress) => {
		if (isOver || progress.type !== 'probe' || progress.probe !== wanted) return;
		isOver = true;
		setTimeout(() => {
			service.end();
			setTimeout(() => service.start(), pause);
		}, 900);
	};
}

it.each(['warm_up', 'hard_code', 'always_401', 'limited'] as const)(
	'repeats the step %s, in which the service was started again',
	async (probe) => {
		const service = new Restartable();
		const client = await prepareClient({ service: service.start() });
		const { findings, ended, probes } = await runExam({ ...client, onProgress: endDuring(service, probe, 3000) });
		expect(ended).toBeUndefined();
		expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
		expect(findings.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(44);
		expect(probes?.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
	}
);

it('ends where the service does not start again', async () => {
	const service = new Restartable();
	const client = await prepareClient({ service: service.start() });
	const exam = runExam({ ...client, onProgress: endDuring(service, 'extra', 10 * 60_000) });
	await expect(exam).rejects.toThrow(ControlError);
	await expect(exam).rejects.toMatchObject({ status: 0 });
});
