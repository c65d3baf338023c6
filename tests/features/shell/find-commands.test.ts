import { expect, test } from 'vitest';
import { findCommands } from '#features/shell/commands.svelte.ts';

const commands = [
	['Use light theme', 'Appearance', 'color'],
	['Character Viewer', 'Go to', ''],
	['Pocket Companion', 'Go to', ''],
	['rate_limit_exceeded', 'Error codes', ''],
	['Lifetime of a refresh token', 'Decisions', ''],
	['Token request', 'Specification', ''],
	['invalid_token', 'Error codes', '']
].map(([label = '', group = '', words = '']) => ({ id: label, label, group, words, run: () => undefined }));

test.each([
	['ra', ['rate_limit_exceeded', 'Character Viewer']],
	['TOKEN', ['Token request', 'Lifetime of a refresh token', 'invalid_token']],
	['token lifetime', ['Lifetime of a refresh token']],
	['viewer ', ['Character Viewer']],
	['error token', ['invalid_token']],
	['colo', ['Use light theme']],
	['pearance', []],
	['', commands.map(({ label }) => label)]
])('finds %j with the best match first', (query, labels) => {
	expect(findCommands(commands, query).map(({ label }) => label)).toEqual(labels);
});
