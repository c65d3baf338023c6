import { call, limits, loadTest, times, token, type SignalCase, type Student } from './traces.ts';

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
		text: 'Blacklisted. 3 requests without a response.',
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
			},
			{
				seat: { isBlacklisted: false },
				run: async (student) => {
					await limits(student, { character: 2, blacklist_after_refused: 2 });
					await slowCalls(student, await token(student), 7);
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
				seat: { hasFaults: false },
				run: async (student) => {
					await fault(student, 'character');
					await call(student, 'OAuth x');
				}
			},
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
		text: 'Sent 3 requests over the limit.',
		raises: {
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
			},
			{
				run: async (student) => {
					await limits(student, { character: 2, blacklist_after_refused: 50 });
					await loadTest(student, 20);
				}
			}
		]
	},
	{
		id: 'load_test',
		raises: {
			run: async (student) => {
				await limits(student, { character: 4, blacklist_after_refused: 50 });
				await loadTest(student, 40);
			}
		},
		quiet: [
			{
				run: async (student) => {
					const access = await token(student);
					await times(12, async () => {
						student.wait(150);
						await student.client.character(access);
					});
				}
			},
			{ run: (student) => loadTest(student, 8) },
			{
				run: async (student) => {
					await loadTest(student, 40);
					student.wait(20_000);
				}
			}
		]
	},
	{
		id: 'loop',
		text: 'Sends 6 requests a second.',
		raises: {
			run: async (student) => {
				const access = await token(student);
				await times(14, async () => {
					student.wait(170);
					await student.client.character(access);
				});
			}
		},
		quiet: [
			// A page that loads all at once.
			{
				run: async (student) => {
					const access = await token(student);
					await Promise.all(Array.from({ length: 12 }, () => student.client.character(access)));
				}
			},
			{ run: (student) => loadTest(student, 40) },
			// Workers that sign users in.
			{
				run: (student) =>
					times(9, async () => {
						student.wait(500);
						await student.client.signIn();
					})
			},

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
		text: 'Gets 401, refreshes, gets 401 again.',
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
			// 20 requests at the same instant share one refresh.
			{
				run: async (student) => {
					const tokens = await student.client.signIn({ access_type: 'offline' });
					student.wait(4_000_000);
					await times(20, () => student.client.character(tokens.field('access_token')));
					const next = await student.client.refresh(tokens.field('refresh_token'));
					await times(20, () => student.client.character(next.field('access_token')));
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
