import type { Exercise } from '#features/write/exercise.ts';
import { judge, type JudgedCondition } from '#features/write/model/judge.ts';
import { RunningExercise } from '#features/write/model/run-exercise.ts';
import { openFunctionRealm } from '../../write/function-realm.ts';

/** Runs a program in an exercise. Its user allows access at once. */
export async function runProgram(
	exercise: Exercise,
	source: string
): Promise<{ run: RunningExercise; conditions: JudgedCondition[] }> {
	const run = new RunningExercise({
		exercise,
		source,
		baseUrl: 'https://tollgate.test',
		openRealm: openFunctionRealm
	});
	await run.run();
	return { run, conditions: judge(exercise, run.evidence()) };
}
