import type { FlowMessage } from './flow-messages.ts';
import { flowParties, partyLabels } from '#ui/flow/flow-parties.ts';

/** Messages as the text of a Mermaid sequence diagram. Secrets are redacted in messages, and so they are here. */
export function toMermaid(messages: readonly FlowMessage[]): string {
	const used = flowParties.filter((party) => messages.some(({ from, to }) => from === party || to === party));
	return [
		'sequenceDiagram',
		...used.map((party) => `\t${party === 'user' ? 'actor' : 'participant'} ${party} as ${partyLabels[party]}`),
		...messages.map(({ from, to, label, isReply, isRejected, isSeen }) =>
			from === to
				? `\tNote over ${from}: ${escapeText(label)}`
				: `\t${from}${isReply ? '--' : '-'}${isRejected ? 'x' : '>>'}${to}: ${escapeText(label)}${isSeen ? '' : ' (not seen by the service)'}`
		),
		''
	].join('\n');
}

/** Mermaid reads `#`, `;` and line ends as syntax, and some renderers read tags. */
function escapeText(text: string): string {
	const escaped = text
		.replace(/\s+/g, ' ')
		.replace(/[#;<>&"%{}]/g, (character) => `#${character.charCodeAt(0)};`)
		.trim();
	return /^(?:no)?wrap:/.test(escaped) ? ` ${escaped.replace(':', '#58;')}` : escaped;
}
