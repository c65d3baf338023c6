import type { ForeignFinding, HarContent } from '#evidence/har/har-reading.ts';
import { timeText } from '#api/time-text.ts';
import { withoutHosts } from '#evidence/har/hide-hosts.ts';
import { splitTarget } from '../inspector/message/http-message.ts';

/** A finding as Markdown, without the hosts of the file. */
export function findingText(finding: ForeignFinding, content: HarContent): string {
	const cited = content.exchanges.filter(({ entry }) => finding.exchanges.includes(entry.id));
	const lines = [
		`**${finding.title}** (${finding.state.replace('_', ' ')})`,
		'',
		finding.text,
		'',
		...cited.map(
			({ entry, to, outcome }) =>
				`- ${timeText(entry.at)} \`${entry.request.method} ${splitTarget(entry.request.target).path}\` at ${to}: ${entry.response?.status ?? 'no response'} ${outcome}`
		),
		...(finding.cause === undefined ? [] : ['', `Cause: ${finding.cause}`]),
		...(finding.fix === undefined ? [] : ['', `Fix: ${finding.fix}`])
	];
	return withoutHosts(content)(lines.join('\n'));
}
