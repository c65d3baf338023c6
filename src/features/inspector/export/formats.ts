import type { TrafficEntry } from '#api/control/traffic.ts';
import { flowMessages } from '../flow-messages.ts';
import { toMermaid } from '../to-mermaid.ts';
import { toHar } from './har.ts';
import { toTrafficFile } from './traffic-file.ts';

export type ExportFormat = {
	readonly id: string;
	readonly label: string;
	/** What the file is for, in a few words. */
	readonly hint: string;
	readonly fileName: string;
	readonly type: string;
	/**
	 * @param entries the exported exchanges, in order
	 * @param baseUrl of the sandbox
	 */
	readonly write: (entries: readonly TrafficEntry[], baseUrl: string) => string;
};

const json = (value: object) => JSON.stringify(value, null, '\t');

/** The formats, the most common first. */
export const exportFormats: readonly ExportFormat[] = [
	{
		id: 'har',
		label: 'HAR 1.2',
		hint: 'For browser tools and proxies',
		fileName: 'tollgate.har',
		type: 'application/json',
		write: (entries, baseUrl) => json(toHar(entries, new URL(baseUrl).origin))
	},
	{
		id: 'json',
		label: 'JSON',
		hint: 'Everything, with all checks',
		fileName: 'tollgate-traffic.json',
		type: 'application/json',
		write: (entries) => json(toTrafficFile(entries))
	},
	{
		id: 'mermaid',
		label: 'Mermaid',
		hint: 'Sequence diagram as text',
		fileName: 'tollgate-flow.mmd',
		type: 'text/plain',
		write: (entries) => toMermaid(flowMessages(entries))
	}
];
