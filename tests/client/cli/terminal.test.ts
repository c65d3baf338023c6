import { expect, test } from 'vitest';
import { Terminal } from '#client/cli/terminal.server.ts';
import type { CliEnvironment } from '#client/cli/environment.server.ts';
import { Journal } from '#client/events.ts';
import { gate } from '../workbench.ts';

function terminal(isTerminal: boolean, env: CliEnvironment['env'] = {}) {
	let err = '';
	const sink = { write: (text: string) => void (err += text), isTerminal };
	const world: CliEnvironment = {
		...{ env, root: '', out: sink, err: sink, now: () => 0 },
		fetch: () => fetch,
		openBrowser: () => Promise.resolve(true),
		interrupted: new AbortController().signal,
		timeout: () => new AbortController().signal
	};
	return { terminal: new Terminal(world, false), shown: () => screenOf(err), written: () => err };
}

/** What a terminal shows of it: a line that was cleared is gone. */
function screenOf(written: string): string[] {
	return written.split('\n').map((line) => line.split('\r\u001b[2K').at(-1) ?? '');
}

test('what is noted while something is under way stands on lines of its own, above the moving one', async () => {
	const { terminal: at, shown } = terminal(true);
	const { closed, open } = gate();
	const during = at.during('Waiting …', new Journal(() => 0), () => closed);
	at.note('A strange answer came.');
	expect(shown()).toEqual(['A strange answer came.', expect.stringMatching(/^. Waiting …$/)]);
	open();
	await during;
	at.note('Done.');
	expect(shown()).toEqual(['A strange answer came.', 'Done.', '']);
});

test.each([
	['where nobody looks', false, {}],
	['on a dumb terminal', true, { TERM: 'dumb' }]
])('no line moves %s, and none is cleared', async (_, isTerminal, env) => {
	const { terminal: at, written } = terminal(isTerminal, env);
	const journal = new Journal(() => 0);
	await at.during('Asking …', journal, () => {
		at.note('A note.');
		journal.tell({ kind: 'waited', what: 'Holding the call back' });
		journal.tell({ kind: 'made', what: 'Made a state' });
		return Promise.resolve();
	});
	expect(written()).toBe('Asking …\nA note.\nAsking … holding the call back …\n');
});
