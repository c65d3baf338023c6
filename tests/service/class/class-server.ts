import * as v from 'valibot';
import { createdClass } from '#api/control/classes.ts';
import { joinedSeat, seatStatus, type SeatStatus } from '#api/control/seats.ts';
import { sandboxStatus } from '#api/control/status.ts';
import { allRules } from '#evidence/all-rules.ts';
import { createClassReports } from '#service/class/class-reports.ts';
import { withClasses } from '#service/control/classes.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import { readTarget } from '#service/core/target.ts';
import { TestResponse } from '../../conformance/response.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import { createTestService, type TestService } from '../test-service.ts';

const json = ['Content-Type', 'application/json'] as const;

export type OpenedClass = v.InferOutput<typeof createdClass>;
export type Seat = v.InferOutput<typeof joinedSeat> & { readonly id: string; readonly cookie: string };

/** A service with seats for classes, behind one network address, and the calls of an instructor and of students. */
export class ClassServer {
	readonly tested: TestService;

	constructor(options: Partial<ServiceOptions> = {}) {
		this.tested = createTestService({ classSeats: 30, ...options }, withClasses(createClassReports(allRules)));
	}

	/**
	 * @param body a text is sent as it is, anything else as JSON
	 * @param headers flat
	 */
	async send(method: string, target: string, body?: unknown, ...headers: string[]): Promise<TestResponse> {
		const isJson = body !== undefined && typeof body !== 'string';
		const sent = { method, target, headers: [...(isJson ? json : []), ...headers] };
		const received = await this.tested.transport.send(
			body === undefined ? sent : { ...sent, body: isJson ? JSON.stringify(body) : body }
		);
		return new TestResponse(received ?? { status: 0, headers: [], body: '' });
	}

	/** The same with a key. */
	call(key: string, method: string, target: string, body?: unknown): Promise<TestResponse> {
		return this.send(method, target, body, 'X-Tollgate-Key', key);
	}

	async open(more: object = {}): Promise<OpenedClass> {
		return (await this.send('POST', '/control/classes', { name: 'Workshop', seats: 5, ...more })).as(createdClass);
	}

	async join(code: string): Promise<Seat> {
		const response = await this.send('POST', `/control/classes/${code}/seats`);
		const seat = response.as(joinedSeat);
		const { sandboxId = '' } = readTarget(seat.base_url);
		return { ...seat, id: sandboxId, cookie: cookieOf(response) };
	}

	/** What the pages of a seat know of the class. */
	async statusOf(seat: Seat): Promise<SeatStatus> {
		const { class: status } = (await this.call(seat.key, 'GET', `/~${seat.id}/control/status`)).as(sandboxStatus);
		return v.parse(seatStatus, status);
	}

	/** The sandbox of a seat. */
	sandboxOf({ id, base_url, key }: Seat): Promise<Sandbox> {
		const { transport } = this.tested;
		const body = JSON.stringify({ id, base_url, key });
		return Sandbox.create({
			...transport,
			send: (sent) =>
				sent.target === '/control/sandboxes'
					? Promise.resolve({ status: 201, headers: [], body })
					: transport.send(sent)
		});
	}

	/** Changes a seat by a key. */
	change(key: string, code: string, seat: number, body: object): Promise<TestResponse> {
		return this.call(key, 'PATCH', `/control/classes/${code}/seats/${seat}`, body);
	}
}

/** Name and value of the cookie that a response sets. */
export function cookieOf(response: TestResponse): string {
	return response.header('set-cookie')?.split(';')[0] ?? '';
}

/** The program of a student asks for a token with a code that does not exist. */
export function failingExchange(server: ClassServer, seat: Seat) {
	const [app] = seat.applications;
	const fields = new URLSearchParams({
		...{ grant_type: 'authorization_code', code: 'wrong', redirect_uri: 'http://localhost:3000/callback' },
		...{ client_id: app?.client_id ?? '', client_secret: app?.client_secret ?? '' }
	});
	return server.send(
		'POST',
		`/~${seat.id}/ws/oauth2/token/`,
		fields.toString(),
		...['Content-Type', 'application/x-www-form-urlencoded']
	);
}
