import type { TrafficEntry } from '#api/control/traffic.ts';
import type { EnteredValue, Evidence } from '#course/lessons/evaluation/condition.ts';
import type { Lesson } from '#course/lessons/lesson.ts';
import type { Script } from '#course/lessons/scripted-client.ts';
import { openLesson } from './lesson-sandbox.ts';

/** What the service records of a script, in a new sandbox. */
export async function record(lesson: Lesson, run: Script): Promise<Evidence> {
	const { client, evidence } = await openLesson(lesson);
	await run(client);
	return evidence();
}

/** Two hours, so that nothing of one history is a part of another: no burst, no window of a rate limit. */
const pause = 7_200_000;

/**
 * A history behind another one, as if the learner had done both: later in time, with numbers that follow, and with other credentials.
 */
export function append(before: Evidence, history: Evidence): Evidence {
	const last = before.entries.at(-1);
	const [first] = history.entries;
	const seq = (last?.seq ?? 0) + 1 - (first?.seq ?? 1);
	const time = (last?.at ?? 0) + pause - (first?.at ?? 0);
	const salt = `${before.entries.length} `;
	const entered = history.entered.map((value): EnteredValue => ({ ...value, after: value.after + seq }));
	return {
		entries: [...before.entries, ...history.entries.map((entry) => moved(entry, { seq, time, salt }))],
		entered: [...before.entered, ...entered]
	};
}

type Move = { readonly seq: number; readonly time: number; readonly salt: string };

function moved(entry: TrafficEntry, { seq, time, salt }: Move): TrafficEntry {
	const { flow, grant, family, response } = entry;
	const named = <T extends string>(name: T, value: string | undefined) =>
		value === undefined ? {} : { [name]: salt + value };
	return {
		...entry,
		seq: entry.seq + seq,
		id: salt + entry.id,
		at: entry.at + time,
		...named('flow', flow),
		...named('grant', grant),
		...named('family', family),
		values: entry.values.map((value) => ({ ...value, id: salt + value.id })),
		credentials: entry.credentials.map((event) => {
			if (event.type !== 'issued') return { ...event, id: salt + event.id };
			return {
				...event,
				id: salt + event.id,
				grant: salt + event.grant,
				...named('family', event.family),
				...named('from', event.from),
				...(event.expires === undefined ? {} : { expires: event.expires + time })
			};
		}),
		response: response && { ...response, headers: response.headers.map((header) => movedHeader(header, time)) }
	};
}

function movedHeader([name, value]: readonly [string, string], time: number): [string, string] {
	if (/^x-ratelimit-reset$/i.test(name)) return [name, String(Number(value) + time / 1000)];
	if (/^date$/i.test(name)) return [name, new Date(Date.parse(value) + time).toUTCString()];
	return [name, value];
}

/** The same exchanges, as a page of ours sends them: a browser names the site that a request comes from. */
export const fromPage = ({ entries, ...rest }: Evidence): Evidence => ({
	...rest,
	entries: entries.map((entry) => ({
		...entry,
		request: { ...entry.request, headers: [...entry.request.headers, ['Sec-Fetch-Site', 'same-origin'] as const] }
	}))
});
