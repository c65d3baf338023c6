import type { Exercise } from '#course/write/exercise.ts';
import { loadNearMisses } from '#course/write/exercises.ts';
import { judge, type JudgedCondition } from '#course/write/model/judge.ts';
import { RunningExercise } from '#course/write/model/run-exercise.ts';
import { changed } from '#course/write/program-changes.ts';
import { PageClock } from '#hosts/page/page-clock.ts';
import { openFunctionRealm } from './engine/function-realm.ts';

const start = Date.parse('2026-03-02T09:00:00.000Z');

/** Runs a program in an exercise. The clock moves only when the program sleeps, so each run takes the same times. Its user allows access at once. */
export async function runProgram(
	exercise: Exercise,
	source: string
): Promise<{ run: RunningExercise; conditions: JudgedCondition[] }> {
	const run = new RunningExercise({
		exercise,
		source,
		baseUrl: 'https://tollgate.test',
		openRealm: openFunctionRealm,
		clock: new PageClock(() => start)
	});
	await run.run();
	return { run, conditions: judge(exercise, run.evidence()) };
}

/** The programs that almost work, each with the condition or the rule that must fail. */
export async function nearMissesOf(
	id: string,
	solution: string
): Promise<readonly { readonly name: string; readonly condition: string; readonly program: string }[]> {
	return (await loadNearMisses(id)).map(({ name, condition, changes }) => ({
		name,
		condition,
		program: changed(solution, ...changes.map(({ from, to }) => [from, to] as const))
	}));
}
