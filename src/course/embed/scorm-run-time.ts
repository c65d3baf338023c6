import type { EmbedReport } from './embed-messages.ts';

/** The editions of SCORM that a package can have. */
export const scormEditions = ['SCORM 1.2', 'SCORM 2004'] as const;
export type ScormEdition = (typeof scormEditions)[number];

/** How far up the frames a run-time is looked for, as the specification says. */
const maxParents = 500;

const calls = {
	'SCORM 1.2': {
		api: 'API',
		start: 'LMSInitialize',
		get: 'LMSGetValue',
		set: 'LMSSetValue',
		save: 'LMSCommit',
		end: 'LMSFinish'
	},
	'SCORM 2004': {
		api: 'API_1484_11',
		start: 'Initialize',
		get: 'GetValue',
		set: 'SetValue',
		save: 'Commit',
		end: 'Terminate'
	}
} as const satisfies Record<ScormEdition, object>;

/** A course system, as a lesson of a package uses it. */
export type ScormRunTime = {
	readonly report: EmbedReport;
	/** Ends the session. Once. */
	readonly end: () => void;
};

/**
 * Connects to the run-time of the course system: the object `API` or `API_1484_11` of a frame around this one, or of the window that
 * opened it. What was recorded before is never lowered.
 * @param frame the window of this page
 * @param now milliseconds since 1970
 * @returns undefined if there is none, or it does not start
 */
export function openScormRunTime(
	frame: object,
	edition: ScormEdition,
	now: () => number = Date.now
): ScormRunTime | undefined {
	const names = calls[edition];
	const api = findApi(frame, names.api);
	if (api === undefined) return undefined;
	const call = (name: string, ...values: string[]): string => {
		const method: unknown = Reflect.get(api, name);
		return typeof method === 'function' ? String(Reflect.apply(method, api, values)) : '';
	};
	const set = (values: Readonly<Record<string, string>>) => {
		for (const [element, value] of Object.entries(values)) call(names.set, element, value);
		call(names.save, '');
	};
	if (call(names.start, '') !== 'true') return undefined;
	const started = now();
	const record = edition === 'SCORM 1.2' ? record12 : record2004;
	let isComplete = ['completed', 'passed'].includes(call(names.get, record.status));
	let best = Number(call(names.get, record.score)) || 0;
	if (!isComplete) set({ [record.status]: 'incomplete' });
	let hasEnded = false;
	return {
		report(event) {
			if (hasEnded) return;
			if (event.type === 'score' && event.score > best) {
				best = event.score;
				set(record.ofScore(best));
			} else if (event.type === 'completed' && !isComplete) {
				isComplete = true;
				set(record.ofCompletion);
			}
		},
		end() {
			if (hasEnded) return;
			hasEnded = true;
			const seconds = Math.max(0, Math.round((now() - started) / 1000));
			set(record.ofEnd(seconds, isComplete));
			call(names.end, '');
		}
	};
}

/** Where each edition keeps the same facts. */
const record12 = {
	status: 'cmi.core.lesson_status',
	score: 'cmi.core.score.raw',
	ofScore: (score: number) => ({
		'cmi.core.score.min': '0',
		'cmi.core.score.max': '100',
		'cmi.core.score.raw': String(score)
	}),
	ofCompletion: { 'cmi.core.lesson_status': 'completed' },
	ofEnd: (seconds: number, isComplete: boolean) => ({
		'cmi.core.session_time': [seconds / 3600, (seconds / 60) % 60, seconds % 60]
			.map((part, at) => String(Math.floor(part)).padStart(at === 0 ? 4 : 2, '0'))
			.join(':'),
		'cmi.core.exit': isComplete ? '' : 'suspend'
	})
};

const record2004 = {
	status: 'cmi.completion_status',
	score: 'cmi.score.raw',
	ofScore: (score: number) => ({
		'cmi.score.min': '0',
		'cmi.score.max': '100',
		'cmi.score.raw': String(score),
		'cmi.score.scaled': String(score / 100),
		'cmi.progress_measure': String(score / 100)
	}),
	ofCompletion: { 'cmi.completion_status': 'completed', 'cmi.success_status': 'passed' },
	ofEnd: (seconds: number, isComplete: boolean) => ({
		'cmi.session_time': `PT${seconds}S`,
		'cmi.exit': isComplete ? 'normal' : 'suspend'
	})
};

/** The object in a frame around this one, else in a frame around the window that opened it. */
function findApi(frame: object, name: string): object | undefined {
	const around = [...outward(frame)];
	const openers = around.flatMap((one) => [...outward(read(one, 'opener'))]);
	for (const one of [...around, ...openers]) {
		const found = read(one, name);
		if (typeof found === 'object' && found !== null) return found;
	}
	return undefined;
}

/** A frame and those around it, up to the first that does not let this page read it. */
function* outward(start: unknown): Generator<object> {
	let at = start;
	for (let step = 0; step < maxParents && typeof at === 'object' && at !== null; step++) {
		yield at;
		const parent = read(at, 'parent');
		if (parent === at) return;
		at = parent;
	}
}

/** Undefined where the frame is of another origin. */
function read(frame: object, name: string): unknown {
	try {
		return Reflect.get(frame, name);
	} catch {
		return undefined;
	}
}
