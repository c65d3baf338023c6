import type { TrafficEntry } from '#api/control/traffic.ts';
import { failedLine, isOfOwnClient, isOfProgram, type Seen, type StepLog } from './step-log.ts';
import type { SeatFacts, SignalRule } from './signal.ts';

/** How long an own client may be silent, in milliseconds. */
const ownClientSilent = 180_000;
/** How long the last condition of a lesson, or a near miss, may take, in milliseconds. */
const lastCondition = 120_000;
const sameFailures = 3;

function sameMistake(one: TrafficEntry, other: TrafficEntry): boolean {
	const [line, before] = [failedLine(one), failedLine(other)];
	return (
		one.endpoint === other.endpoint &&
		line?.id === before?.id &&
		line?.cause === before?.cause &&
		line?.found === before?.found
	);
}

/** The newest open failures that are equal, if the client has sent nothing else since. Pages request limits automatically. */
function findSameAgain({ entries: all, failures }: StepLog): Seen | undefined {
	const last = failures.at(-1);
	if (last === undefined || all.findLast((entry) => isOfProgram(entry) === isOfProgram(last)) !== last)
		return undefined;
	const different = failures.findLastIndex((entry) => !sameMistake(entry, last));
	const entries = failures.slice(different + 1);
	return entries.length >= sameFailures ? { entries } : undefined;
}

/** A near miss in words. The page of the seat judges it, because exercises and labs run there. */
const missOf = ({ miss, isDone }: SeatFacts): Seen | undefined =>
	miss === undefined || isDone ? undefined : { entries: [], text: `Near miss: ${miss.replaceAll('_', ' ')}.` };

/** Signals about progress: the same failure again, or nothing at all. */
export const progressSignals = [
	{
		id: 'same_again',
		kind: 'mistake',
		title: 'Same error again',
		text: 'Gets the same error again.',
		section: '',
		help: 'Open the request in the inspector and read the failed check.',
		find: findSameAgain
	},
	{
		id: 'own_client_silent',
		kind: 'wait',
		title: 'No request of own client',
		text: 'The own client sent no request in this step.',
		section: '',
		help: 'Test the base URL and the certificate with the curl command of the seat.',
		find: ({ entries }, { client, inStep, isOwn = () => false }) =>
			client === 'own' && inStep >= ownClientSilent && !entries.some((entry) => isOfOwnClient(entry, isOwn))
				? { entries: [] }
				: undefined
	},
	{
		id: 'near_miss',
		kind: 'mistake',
		title: 'Near miss for minutes',
		text: 'Near miss in an exercise or a lab.',
		section: '',
		help: 'Open the first hint, and look at the marked line.',
		find: (_, seat) => (seat.inStep >= lastCondition ? missOf(seat) : undefined)
	},
	{
		id: 'new_near_miss',
		kind: 'note',
		title: 'Near miss',
		text: 'Near miss in an exercise or a lab.',
		section: '',
		help: 'Wait. The page says what happened.',
		find: (_, seat) => missOf(seat)
	},
	{
		id: 'one_missing',
		kind: 'wait',
		title: 'One step missing',
		text: 'All steps but one are shown.',
		section: '',
		help: 'Read the sentence under the step list of the lesson.',
		find: (_, { shown, of, inStep }) =>
			of > 1 && shown === of - 1 && inStep >= lastCondition ? { entries: [] } : undefined
	}
] as const satisfies readonly SignalRule[];

/** The last one, after all others. */
export const absenceSignals = [
	{
		id: 'away',
		kind: 'note',
		title: 'Away',
		text: 'No request and no press for five minutes.',
		section: '',
		help: 'Ask in class.',
		find: (_, { presence, isDone }) => (presence === 'away' && !isDone ? { entries: [] } : undefined)
	}
] as const satisfies readonly SignalRule[];
