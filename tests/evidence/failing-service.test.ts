import type { Case } from './log.ts';
import { testCases } from './test-cases.ts';

const times = (count: number, run: (at: number) => void): void =>
	Array.from({ length: count }, (_, at) => at + 1).forEach(run);

const cases: Case[] = [
	[
		'token.refresh_when_due',
		'failed',
		'two refreshes follow calls that got 503',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 2 }, () =>
				times(2, (at) => {
					log.call(flow, { status: 503 }, 1000, ` ${at}`);
					log.refresh(flow, ` ${at}`, {}, 100);
				})
			);
		},
		{ text: '2 refreshes followed calls that got 503.' }
	],
	[
		'token.refresh_when_due',
		'passed',
		'a refresh followed a 503 once, and the token ends',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 2 }, () => {
				log.call(flow, { status: 503 });
				log.refresh(flow, ' 1');
				times(3, () => log.call(flow, { status: 503 }, 1000));
			});
			log.refresh(flow, ' 2', {}, 3_900_000);
		}
	],
	[
		'token.refresh_when_due',
		'not_shown',
		'the step ends after one refresh, and another came at the end of its token',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 3, isCutOff: true }, () => {
				log.call(flow, { status: 503 });
				log.refresh(flow, ' 1');
				log.call(flow, { status: 503 }, 1000);
			});
			log.refresh(flow, ' 2', {}, 3_900_000);
		},
		{
			text: 'Not shown. The exam broke this step off before its end. 1 refresh followed calls that got 503, and two would show a mistake.'
		}
	],
	[
		'limit.back_off',
		'not_shown',
		'the step ends before there are tries enough',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 1, isCutOff: true }, () =>
				times(4, () => log.call(flow, { status: 503 }, 5000))
			);
		}
	],
	[
		'limit.back_off',
		'passed',
		'the pauses have grown before the step ends',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 1, isCutOff: true }, () =>
				times(7, (at) => log.call(flow, { status: 503 }, 200 * 2 ** at))
			);
		}
	],
	[
		'limit.back_off',
		'failed',
		'six calls come without a pause',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 2 }, () => times(6, () => log.call(flow, { status: 503 }, 100)));
		}
	],
	[
		'limit.back_off',
		'passed',
		'the pauses grow',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 1 }, () => times(6, (at) => log.call(flow, { status: 503 }, 200 * 2 ** at)));
		}
	],
	[
		'limit.back_off',
		'failed',
		'the pauses never grow',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 2 }, () => times(10, () => log.call(flow, { status: 503 }, 1000)));
		}
	],
	[
		'limit.back_off',
		'passed',
		'users cause the calls, one after the other',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 12 }, () => times(12, () => log.call(flow, { status: 503 }, 1000)));
		}
	],
	[
		'limit.back_off',
		'passed',
		'users cause the calls',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 6 }, () => times(6, () => log.call(flow, { status: 503 }, 100)));
		}
	],
	[
		'limit.back_off',
		'not_shown',
		'no call fails',
		(log) => {
			const flow = log.session();
			log.probe('unavailable', { uses: 1 }, () => log.call(flow));
		}
	],
	[
		'limit.stop_when_blacklisted',
		'failed',
		'11 calls get no response',
		(log) => {
			const flow = log.session();
			log.probe('blacklisted', {}, () => times(11, () => log.call(flow, { status: null })));
		}
	],
	[
		'limit.stop_when_blacklisted',
		'passed',
		'10 calls get no response',
		(log) => {
			const flow = log.session();
			log.probe('blacklisted', {}, () => times(10, () => log.call(flow, { status: null })));
		}
	],
	[
		'limit.stop_when_blacklisted',
		'not_shown',
		'nothing is called',
		(log) => {
			log.session();
			log.probe('blacklisted');
		}
	]
];

testCases(cases);
