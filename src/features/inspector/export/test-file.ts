import type { TrafficEntry } from '#api/control/traffic.ts';
import {
	bodyOf,
	headersOf,
	plainText,
	sliceText,
	targetOf,
	withLabels,
	type MessageText
} from '../message/message-text.ts';
import { findValueSources, type ValueSource } from './recorded-values.ts';
import { SecretVariables } from '../secret-variables.ts';
import {
	commentText,
	constantParts,
	expressionOf,
	literal,
	variableOf,
	type ExpressionOptions
} from './source-text.ts';
import { helpersOf, importsOf, type TestFramework } from './test-file-helpers.ts';

/** Headers that belong to the message, not to the connection or the browser that sent it. */
const sentHeaders = /^(?:accept|authorization|content-type|origin|x-tollgate-address)$/i;
/** From this gap on, the test moves the clock, in milliseconds. */
const minClockStep = 60_000;

/**
 * A recording as a test file that sends the same requests to another sandbox and compares the responses. Secrets come from the
 * environment, and everything else that changes from the responses.
 * @param entries in order
 * @param baseUrl of the sandbox of the recording
 */
export function toTestFile(entries: readonly TrafficEntry[], baseUrl: string, framework: TestFramework): string {
	const sources = findValueSources(entries);
	const variables = new SecretVariables();
	const declarations = [...sources].map(([label, source]) => declaration(label, source, variables));
	const steps = entries.map((entry, index) =>
		new Step(entry, entries[index - 1], index + 1, baseUrl, sources, variables).text()
	);
	return `// Recorded with the inspector of Tollgate. Sends ${entries.length} requests to a sandbox and compares the responses.
// TOLLGATE_URL: the base URL of a fresh sandbox. TOLLGATE_KEY: its key, where the test moves the clock.
${environmentComment(variables)}${importsOf(framework)}
const base = process.env['TOLLGATE_URL'] ?? ${literal(baseUrl)};
${helpersOf(framework)}
test(${literal(titleOf(entries))}, async () => {
${declarations.map((line) => `\t${line}\n`).join('')}${steps.join('\n')}});
`;
}

/** One exchange of the recording. */
class Step {
	constructor(
		readonly entry: TrafficEntry,
		readonly previous: TrafficEntry | undefined,
		readonly number: number,
		readonly baseUrl: string,
		readonly sources: ReadonlyMap<string, ValueSource>,
		readonly variables: SecretVariables
	) {}

	text(): string {
		const { request, response } = this.entry;
		const heading = `// ${this.number}. ${commentText(`${request.method} ${withLabels(targetOf(this.entry))}`)}`;
		const send = `send(${[literal(request.method), this.#url(), this.#headers(), this.#body()].join(', ')})`;
		const lines =
			response === null
				? [`await expect(${send}, 'The service sends no response').rejects.toThrow();`]
				: [
						`const response${this.number} = await ${send};`,
						...this.#expectations(response.status),
						...this.#assignments()
					];
		return ['', heading, ...this.#clock(), ...lines].map((line) => (line === '' ? '\n' : `\t${line}\n`)).join('');
	}

	#url(): string {
		const path = new URL(this.baseUrl).pathname.replace(/\/$/, '');
		const target = targetOf(this.entry);
		// What follows the base URL begins with a slash: in `https://localhost:8443@host` it would be another host.
		const below = target.text.startsWith(`${path}/`) ? sliceText(target, path.length) : target;
		return `base + ${this.#expression(below, true, { replacements: this.#challenges() })}`;
	}

	#expression(text: MessageText, isEncoded: boolean, more: Partial<ExpressionOptions> = {}): string {
		const { baseUrl, variables } = this;
		return expressionOf(text, { baseUrl, isEncoded, variables, ...more });
	}

	#headers(): string {
		const kept = headersOf(this.entry, 'request').filter(([name]) => sentHeaders.test(name));
		const pairs = kept.map(([name, value]) => {
			const sent = /^origin$/i.test(name) ? 'new URL(base).origin' : this.#expression(value, false, { field: name });
			return `${literal(name)}: ${sent}`;
		});
		return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
	}

	#body(): string {
		const isForm = this.entry.request.headers.some(
			([name, value]) => /^content-type$/i.test(name) && /urlencoded/i.test(value)
		);
		return this.#expression(bodyOf(this.entry, 'request'), isForm);
	}

	#expectations(status: number): string[] {
		const response = `response${this.number}`;
		const headers = headersOf(this.entry, 'response');
		const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
		const [type, location] = [header('content-type')?.text ?? '', header('location')];
		const body = bodyOf(this.entry, 'response');
		const shown = type.startsWith('text/html') ? plainText(/<title>[^<]*/.exec(body.text)?.[0] ?? '') : body;
		const parts = (text: MessageText) => `[${constantParts(text, this.baseUrl).map(literal).join(', ')}]`;
		return [
			`expect(${response}.status).toBe(${status});`,
			...(type === '' ? [] : [`expect(${response}.type).toBe(${literal(type)});`]),
			...(location === undefined ? [] : [`expectParts(${response}.location, ${parts(location)});`]),
			...(shown.text === '' ? [] : [`expectParts(${response}.body, ${parts(shown)});`])
		];
	}

	/** The values that later requests take from this response. */
	#assignments(): string[] {
		return [...this.sources].flatMap(([label, source]) => {
			if (source.type !== 'response' || source.requestId !== this.entry.id) return [];
			return [`${variableOf(label)} = find(response${this.number}, ${literal(source.prefix)});`];
		});
	}

	#clock(): string[] {
		const seconds = Math.floor((this.entry.at - (this.previous?.at ?? this.entry.at)) / 1000);
		if (seconds * 1000 < minClockStep) return [];
		const headers = `{ 'Content-Type': 'application/json', 'X-Tollgate-Key': environment('TOLLGATE_KEY') }`;
		return [`await send('POST', base + '/control/clock', ${headers}, '{"advance":${seconds}}');`];
	}

	#challenges(): Map<string, string> {
		const found = [...this.sources].flatMap(([label, source]): [string, string][] =>
			source.type === 'code_verifier' ? [[source.challenge, `challengeOf(${variableOf(label)})`]] : []
		);
		return new Map(found);
	}
}

function declaration(label: string, source: ValueSource, variables: SecretVariables): string {
	if (source.type === 'response') return `let ${variableOf(label)} = '';`;
	const value = source.type === 'environment' ? `environment(${literal(variables.ofLabel(label))})` : 'random()';
	return `const ${variableOf(label)} = ${value};`;
}

function environmentComment({ used }: SecretVariables): string {
	return used.length === 0 ? '' : `// Secrets: set ${used.join(', ')}.\n`;
}

function titleOf(entries: readonly TrafficEntry[]): string {
	const names = (of: (entry: TrafficEntry) => string | undefined) => [
		...new Set(entries.flatMap((one) => of(one) ?? []))
	];
	const parts = [...names(({ client_id }) => client_id), ...names(({ username }) => username)];
	return `recorded flow${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}
