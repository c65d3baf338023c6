import { referTo } from '#evidence/har/foreign-labels.ts';
import type { ForeignFinding, HarContent } from '#evidence/har/har-reading.ts';
import { replaceHosts, withoutHosts } from '#evidence/har/hide-hosts.ts';
import type { Moment } from '../inspector/moment/moment.ts';

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
