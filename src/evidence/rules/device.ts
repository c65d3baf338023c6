import { failedAt } from '../exchanges.ts';
import type { Facts } from '../facts.ts';
import { judgeWrong } from '../judge.ts';
import type { Judgment, RuleCode } from '../rule.ts';
import type { ClientRun } from '../run.ts';
import { groupBy } from './refreshes.ts';

const isTooFast = ({ entry }: Facts): boolean => failedAt(entry, 'token.device_interval_kept');

/** Whether no later poll can get tokens: they were issued, or the user denied, or the codes expired. */
const isEnd = ({ ok, entry }: Facts): boolean =>
	ok ||
	['token.device_code_known', 'token.device_code_valid'].some((id) => failedAt(entry, id)) ||
	entry.trace.some(
		({ id, cause }) => id === 'token.device_user_decided' && cause !== undefined && cause !== 'undecided'
	);

/** The polls of each device, oldest first. */
function devicesOf({ all }: ClientRun): readonly (readonly Facts[])[] {
	const polls = all.filter(({ kind, status }) => kind === 'device_poll' && status !== undefined);
	return [...groupBy(polls, ({ credential }) => credential?.id).values()];
}

/** The first poll of a device that came too early: what follows is about `slow_down`. */
function judgeInterval(run: ClientRun): Judgment {
	const devices = devicesOf(run).filter((polls) => polls.length >= 2);
	const early = devices.flatMap((polls) => polls.find(isTooFast) ?? []);
	return judgeWrong(early, devices.flat());
}

/** A poll after a `slow_down` that came too early again. */
function judgeSlowDown(run: ClientRun): Judgment {
	const after = devicesOf(run).flatMap((polls) => {
		const first = polls.findIndex(isTooFast);
		return first < 0 ? [] : polls.slice(first + 1);
	});
	return judgeWrong(after.filter(isTooFast), after);
}

/** A poll after the last response that a device can get. Two polls at the same time are no poll after the end. */
function judgeEnd(run: ClientRun): Judgment {
	const ended = devicesOf(run).flatMap((polls) => {
		const end = polls.find(isEnd);
		return end === undefined ? [] : [{ end, late: polls.filter(({ begin }) => begin > end.entry.at) }];
	});
	return judgeWrong(
		ended.flatMap(({ late }) => late),
		ended.map(({ end }) => end)
	);
}

/** Rules about devices that poll (RFC 8628). */
export const deviceRules: readonly RuleCode[] = [
	{ id: 'device.interval', dialect: 'standard', severity: 3, judge: judgeInterval },
	{ id: 'device.slow_down', dialect: 'standard', severity: 2, judge: judgeSlowDown },
	{ id: 'device.end', dialect: 'standard', severity: 3, judge: judgeEnd }
];
