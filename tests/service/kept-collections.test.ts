import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** What else the service keeps for clients, by the field that holds it, each with what limits it. */
const collections: Readonly<Record<string, string>> = {
	'pause/pause.ts #held': 'Shared by address: see pause/places.test.ts.',
	'pause/messages.ts #released': 'Shared with the held messages: see pause/places.test.ts.',
	'pause/pauses.ts #bySandbox': 'Shared by address: see pause/places.test.ts.',
	'pause/pauses.ts #seats': 'Of the seats of classes.',
	'sandbox-registry.ts #open': 'As many as there are sandboxes.',
	'class/board-feed.ts #sent': 'As many as there are seats.',
	'class/class-reports.ts #byCode': 'As many as there are classes.',
	'class/board-feed.ts #seats': 'As many as there are seats.',
	'class/classes.ts #counted': 'As many as there are seats.',
	'traffic/value-labels.ts #values': 'As many as there are log entries of the sandbox.',
	'traffic/value-labels.ts #older': 'As many as there are log entries of the sandbox.',
	'traffic/value-labels.ts #counts': 'One for each name of a value.',
	'traffic/sse-streams.ts #open': 'By the quotas of event streams, for each address and in all.',
	'core/address-limits.ts #byAddress': 'The quotas themselves.',
	'core/address-limits.ts #counts': 'At most 100,000 addresses in five minutes.',
	'core/fair-queue.ts #waiting': 'Limited for each address.',
	'core/fair-queue.ts #running': 'A few at once.'
};
/** Collections that end with the request or the file that they belong to. */
const shortLived = ['world/world-mistakes.ts #reasons', 'core/context.ts #digests', 'core/form-fields.ts #fields'];

it('RM-05 what the service keeps besides its records is limited, each collection for a reason', () => {
	const folder = 'src/service';
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
	const declared = files.flatMap((name) => {
		const source = readFileSync(join(folder, name), 'utf8');
		const fields = source.matchAll(/^\t(?:readonly )?(#\w+) = new (?:Map|Set)\b/gm);
		return [...fields].map(([, field = '']) => `${name} ${field}`);
	});
	expect(declared.sort()).toEqual([...Object.keys(collections), ...shortLived].sort());
});
