import { call, times, token, type SignalCase, type Student } from './traces.ts';

const limits = ({ client }: Student, change: object) =>
	client.control.request('PATCH /control/settings', { body: { limits: change } });
const drop = (student: Student) => call(student, 'OAuth none').catch(() => undefined);
/** Calls that are too slow for a loop. */
const slowCalls = (student: Student, access: string, count: number) =>
	times(count, async () => {
		student.wait(1000);
		await student.client.character(access).catch(() => undefined);
	});
const fault = ({ client }: Student, endpoint: 'token' | 'character') =>
	client.control.request('POST /control/faults', { body: { endpoint, kind: 'status', status: 503 } });

/** The signals of limits, faults and loops. */
export const limitCases: readonly SignalCase[] = [
	{
		id: 'blacklisted',
		text: 'Blacklisted. 3 calls since.',
		raises: {
			run: async (student) => {
				await limits(student, { character: 2, blacklist_after_refused: 2 });
				await slowCalls(student, await token(student), 7);
			}
		},
		quiet: [
			{
				run: async (student) => {
					await limits(student, { character: 2, blacklist_after_refused: 2 });
					await slowCalls(student, await token(student), 4);
				}
			},
			{
				run: async (student) => {
					await student.client.control.request('POST /control/faults', {
						body: { endpoint: 'character', kind: 'drop' }
					});
					await drop(student);
				}
			}
		]
	},
	{
		id: 'fault_active',
		raises: {
			run: async (student) => {
				await fault(student, 'character');
				await call(student, 'OAuth x');
			}
		},
		quiet: [
			{ run: (student) => fault(student, 'token') },
			{
				run: async (student) => {
					const access = await token(student);
					await student.client.control.request('POST /control/faults', {
						body: { endpoint: 'character', kind: 'status', status: 503, times: 1 }
					});
					await student.client.character(access);
					await student.client.character(access);
				}
			}
		]
	},
	{
		id: 'limit_reached',
		text: 'At the limit. 7 refusals until the blacklist.',
		raises: {
			seat: { refusalsLeft: 7 },
			run: async (student) => {
				await limits(student, { character: 2, blacklist_after_refused: 10 });
				await slowCalls(student, await token(student), 5);
			}
		},
		quiet: [
			{
				run: async (student) => {
					await limits(student, { character: 2, blacklist_after_refused: 10 });
					await slowCalls(student, await token(student), 4);
				}
			},
			{
				run: async (student) => {
					await limits(student, { character: 2, blacklist_after_refused: 10, window: 60 });
					const access = await token(student);
					await slowCalls(student, access, 6);
					student.wait(120_000);
					await student.client.character(access);
				}
			}
		]
	},
	{
		id: 'loop',
		text: 'A loop sends 6 calls a second.',
		raises: {
			run: async (student) => {
				const access = await token(student);
				await times(12, () => student.client.character(access));
			}
		},
		quiet: [
			{
				run: async (student) => {
					const access = await token(student);
					await slowCalls(student, access, 12);
				}
			},
			{
				run: async (student) => {
					const access = await token(student);
					await times(12, () => student.client.character(access));
					student.wait(20_000);
				}
			}
		]
	},
	{
		id: 'loop',
		text: 'A loop: a call gets 401, a refresh follows, and again.',
		raises: {
			run: async (student) => {
				const refresh = (await student.client.signIn({ access_type: 'offline' })).field('refresh_token');
				await times(4, async () => {
					student.wait(1000);
					await call(student, 'OAuth wrong');
					await student.client.refresh(refresh);
				});
			}
		},
		quiet: [
			{
				run: async (student) => {
					const refresh = (await student.client.signIn({ access_type: 'offline' })).field('refresh_token');
					await times(4, () => student.client.refresh(refresh));
				}
			},
			{
				run: async (student) => {
					const refresh = (await student.client.signIn({ access_type: 'offline' })).field('refresh_token');
					await times(4, async () => {
						student.wait(1000);
						const next = (await student.client.refresh(refresh)).field('access_token');
						await student.client.character(next);
					});
				}
			}
		]
	}
];
