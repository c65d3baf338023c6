import { expect, it } from 'vitest';
import type { ExamResult } from '#api/exam.ts';
import { changed } from '#course/write/program-changes.ts';
import { goodClient } from '#course/write/program-exam/exam-session.svelte.ts';
import { ProgramExam } from '#course/write/engine/program-exam.ts';
import { takeExam } from '../../../exam/take-exam.ts';
import { openFunctionRealm } from './function-realm.ts';
import { WrittenWebClient } from './written-web-client.ts';

const lock = `refreshing ??= refresh().finally(() => (refreshing = undefined));
  await refreshing;`;
const clients = {
	'a good client': goodClient,
	'a client that accepts a missing state': changed(goodClient, [
		"if (response.get('state') !== state)",
		"if (response.has('state') && response.get('state') !== state)"
	]),
	'a client whose calls refresh one by one': changed(goodClient, [lock, 'await refresh();'])
};

const verdictsOf = ({ findings }: ExamResult) =>
	Object.fromEntries(findings.map(({ rule, verdict }) => [rule, verdict]));

it.each(Object.entries(clients))('gives the verdicts of the exam command: %s', async (name, source) => {
	const exam = new ProgramExam({ source, baseUrl: 'https://tollgate.test', openRealm: openFunctionRealm });
	const here = await exam.run();
	const byCommand = await takeExam((settings) => new WrittenWebClient(settings, source));
	expect(verdictsOf(here)).toEqual(verdictsOf(byCommand));
});
