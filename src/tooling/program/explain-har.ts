import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { maxHarSize, type HarContent, type HarReading } from '#evidence/har/har-reading.ts';
import { harReport, type ReportFormat } from '#evidence/har/har-report.ts';
import { hasClient, joinRecordings, mergeHar } from '#evidence/har/merge-har.ts';
import { readHar } from '#evidence/har/read-har.ts';

/** What a user chooses about an explanation. */
export type ExplainChoices = {
	readonly json?: true;
	readonly markdown?: true;
	/** False: host names are replaced. */
	readonly hosts: boolean;
	/** Reads the whole entries of a file that is cut. */
	readonly part?: true;
};

/**
 * What HAR files explain. Exit code 0: nothing failed, 1: a rule failed, 2: a file cannot be read, 3: nothing failed, and the files do
 * not show whether the sign-in worked.
 */
export type Explanation = { readonly exitCode: 0 | 1 | 2 | 3; readonly text: string };

/**
 * Explains the sign-ins of HAR files. One may be that of a browser. Those of its client are added to it, in any order.
 * @param files paths
 */
export function explainHar(files: readonly string[], { json, markdown, hosts, part }: ExplainChoices): Explanation {
	const contents: HarContent[] = [];
	for (const file of files) {
		const reading = readFile(file, part === true);
		if (reading.kind === 'read') {
			contents.push(reading);
			continue;
		}
		const { error, found, expected, at, whatToDo, readable } = reading;
		const place = at === undefined ? '' : ` at character ${at.toLocaleString('en')}`;
		const more = readable > 0 ? ` --part reads the first ${readable} entries.` : '';
		const text = json
			? JSON.stringify({ file: basename(file), ...reading }, undefined, 2)
			: `${basename(file)}: ${error}\nExpected: ${expected}\nFound${place}: ${found}\n${whatToDo}${more}`;
		return { exitCode: 2, text };
	}
	const browser = contents.find(({ exchanges }) => exchanges.some(({ from }) => from === 'browser'));
	const [client, ...others] = contents.filter((one) => one !== browser);
	const first = browser ?? client;
	if (first === undefined) return { exitCode: 2, text: 'There is no file. Name a HAR file.' };
	if (contents.some((one) => one !== browser && !hasClient(one)))
		return {
			exitCode: 2,
			text: 'Two files have requests of a browser only. Name one of them, and those of its client.'
		};
	const content =
		client === undefined || contents.length === 1
			? first
			: browser === undefined
				? joinRecordings(client, ...others)
				: mergeHar(browser, client, ...others).content;
	const format: ReportFormat = json ? 'json' : markdown ? 'markdown' : 'text';
	const hasFailed = content.findings.some(({ state }) => state === 'failed');
	const isOpen = content.findings.some(({ id, state }) => id === 'file.outcome' && state === 'not_shown');
	const name = files.map((file) => basename(file)).join(', ');
	return { exitCode: hasFailed ? 1 : isOpen ? 3 : 0, text: harReport(content, name, format, hosts) };
}

function readFile(file: string, part: boolean): HarReading {
	const unreadable = (error: string, whatToDo: string): HarReading => ({
		kind: 'unreadable',
		error,
		expected: 'a HAR file',
		found: 'nothing that can be read',
		whatToDo,
		readable: 0
	});
	try {
		if (statSync(file).size > maxHarSize)
			return unreadable('The file is larger than 50 MB.', 'Record the sign-in only, or save the list without content.');
		return readHar(readFileSync(file, 'utf8'), { part });
	} catch (error) {
		const reason = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
		return unreadable(`The file cannot be opened (${reason}).`, 'Check the path.');
	}
}
