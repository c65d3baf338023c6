import type { BaseIssue } from 'valibot';
import { countText } from './count-text.ts';

const types: Readonly<Record<string, string>> = {
	...{ string: 'a text', number: 'a number', boolean: 'true or false', Array: 'a list', Object: 'an object' }
};

/** What to change about a value that a schema rejects. A check without a message gets none of the library, which repeats what was sent. */
export function issueText(issue: BaseIssue<unknown>): string {
	const { type, expected, received, message, input, requirement } = issue;
	if (type === 'strict_object' && expected === 'never') return 'There is no such field. Remove it.';
	if (type === 'strict_object' && received === 'undefined') return 'This field is required.';
	if (!/^Invalid .*: (?:Expected|Received) /s.test(message)) return message.slice(0, 200);
	if (typeof requirement === 'number' && /^(?:min|max)_length$/.test(type)) {
		const count = countText(requirement, Array.isArray(input) ? 'item' : 'character');
		return `Use at ${type === 'min_length' ? 'least' : 'most'} ${count}.`;
	}
	if (expected === null) return 'This value is not allowed here.';
	return `Use ${types[expected] ?? expected.replaceAll(/["()]/g, '').replaceAll('|', 'or').slice(0, 180)}.`;
}
