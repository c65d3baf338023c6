import type { Exercise } from '#course/write/exercise.ts';
import { judge, type JudgedCondition } from '#course/write/model/judge.ts';
import { RunningExercise } from '#course/write/model/run-exercise.ts';
import { openFunctionRealm } from './engine/function-realm.ts';

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
