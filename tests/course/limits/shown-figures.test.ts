import { expect, test } from 'vitest';
import { fleetFigures } from '#course/limits/fleet/shown-figures.ts';
import { shownRun } from '#course/limits/engine/fleet-figures.ts';
import { percentText } from '#course/limits/engine/fleet-finding.ts';
import { fleetOf, fleetQuestions } from '#course/limits/engine/fleet-setup.ts';
import { runFleet } from '#course/limits/engine/fleet.ts';
import { unreadOf } from '#course/limits/engine/questions.ts';

test('only all requests are 100 %, and only none are 0 %', () => {
	expect([1, 1200 / 1206, 0.5, 1 / 1000, 0].map(percentText)).toEqual([
		'100 %',
		'over 99 %',
		'50 %',
		'under 1 %',
		'0 %'
	]);
});

test('requests without a response are counted apart from rejected ones, as in the chart', () => {
	const setup = fleetQuestions.find(({ id }) => id === 'blacklisted-with-others')?.setup;
	if (setup === undefined) throw new Error('The question is missing.');
	const run = shownRun(runFleet(fleetOf(setup, setup.policy)));
	const countOf = (wanted: string) => run.result.requests.filter(({ outcome }) => outcome === wanted).length;
	expect(countOf('blacklisted')).toBeGreaterThan(0);
	const rejected = fleetFigures(run).find(({ label }) => label === 'Rejected');
	expect(rejected?.hint).toBe(
		`${countOf('rejected')} of ${run.result.requests.length} requests, ${countOf('blacklisted')} without a response`
	);
});

test('what a link asks for and the lab does not have is named', () => {
	const unread = (query: string) => unreadOf(new URLSearchParams(query));
	expect(unread('question=retries-together&clients=1e9&algorithm=magic')).toEqual(['clients=1e9', 'algorithm=magic']);
	expect(unread('question=nothing')).toEqual(['question=nothing']);
	expect(unread('question=retries-together&clients=20&request=7')).toEqual([]);
	expect(unread('')).toEqual([]);
});
