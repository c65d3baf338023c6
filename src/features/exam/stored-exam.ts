import * as v from 'valibot';
import { dialectNames } from '#api/dialect.ts';
import { examResult, probeIds } from '#api/exam.ts';
import { storedJson, storeText } from '#client/storage/web-storage.ts';

/** The clients that can take the exam on the page. `viewer`: the demo client of the sandbox. */
const clientKinds = ['web', 'installed', 'viewer'] as const;
export type ClientKind = (typeof clientKinds)[number];

/** The latest exams that a browser remembers. */
const mostResults = 20;

const text = v.pipe(v.string(), v.maxLength(2000));
/** Where the client has its pages. Empty: the user knows. */
const urls = v.object({ signIn: text, use: text, signOut: text });

const cited = v.object({
	id: v.string(),
	/** Milliseconds since 1970, by the clock of the sandbox. */
	at: v.number(),
	request: v.string(),
	status: v.nullable(v.number()),
	outcome: v.string()
});

/** An exam that was begun in this browser. It contains no secret. */
const storedExam = v.object({
	base_url: v.string(),
	client_id: v.string(),
	kind: v.picklist(clientKinds),
	/** Earlier versions had none. */
	dialect: v.fallback(v.picklist(dialectNames), 'specification'),
	/** The name of the simulated provider that the client knows. */
	provider: v.exactOptional(v.string()),
	redirect_uri: text,
	/** The names of characters that exist. */
	characters: v.array(v.string()),
	urls,
	seed: v.number(),
	/** Milliseconds since 1970. */
	started: v.number(),
	/** The area that the user expects to fail first. Empty: no prediction. */
	prediction: v.fallback(v.string(), ''),
	probes: v.array(v.object({ id: v.picklist(probeIds), outcome: v.string() })),
	/** What was found so far. Null before the first probe is over. */
	result: v.nullable(examResult),
	isOver: v.boolean(),
	/** The exchanges that findings cite. The log of the sandbox forgets them. */
	cited: v.array(cited),
	/** Earlier verdicts of rules that were tried again. */
	history: v.array(v.object({ rule: v.string(), verdict: v.string(), at: v.number() }))
});

export type CitedExchange = Readonly<v.InferOutput<typeof cited>>;
export type StoredExam = Readonly<v.InferOutput<typeof storedExam>>;
export type ClientUrls = StoredExam['urls'];

/** The exams of this browser, newest first. */
export class ExamStore {
	readonly #key: string;

	/** @param base path that the app is served from, without a trailing slash */
	constructor(base: string) {
		this.#key = `tollgate-exams${base}`;
	}

	/** Exams that cannot be read are left out. */
	all(): StoredExam[] {
		const found = storedJson(this.#key);
		return (Array.isArray(found) ? found : []).flatMap((one) => {
			const { success, output } = v.safeParse(storedExam, one);
			return success ? [output] : [];
		});
	}

	find(base_url: string): StoredExam | undefined {
		return this.all().find((one) => one.base_url === base_url);
	}

	save(exam: StoredExam): void {
		const others = this.all().filter(({ base_url }) => base_url !== exam.base_url);
		storeText(this.#key, JSON.stringify([exam, ...others].slice(0, mostResults)));
	}
}
