import { timeText } from '#lib/time-text.ts';
import { referTo } from '#evidence/har/foreign-labels.ts';
import type { ForeignFinding, HarContent } from '#evidence/har/har-reading.ts';
import { replaceHosts, withoutHosts } from '#evidence/har/hide-hosts.ts';
import { splitTarget } from '../inspector/message/http-message.ts';
import type { Moment } from '../inspector/moment/moment.ts';

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

/** The exchanges that a finding cites, without the hosts of the file. */
export function foreignMoment(finding: ForeignFinding, content: HarContent): Moment {
	const replace = withoutHosts(content);
	const entries = content.exchanges
		.filter(({ entry }) => finding.exchanges.includes(entry.id))
		.map(({ entry: { client_id, values, ...entry } }) =>
			referTo(
				{ ...replaceHosts(entry, replace), ...(client_id === undefined ? {} : { client_id: replace(client_id) }) },
				(label) => values.find((one) => one.label === label)
			)
		);
	return { format: 'tollgate-moment', version: 1, entries, events: [], applications: [], resource: 'resource' };
}
