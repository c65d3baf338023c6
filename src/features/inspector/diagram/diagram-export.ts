import type { FlowMessage } from '../flow-messages.ts';
import { flowParties, type FlowParty, partyLabels } from '#ui/flow/flow-parties.ts';
import { arrowShape, columnX, rowHeight } from '#ui/flow/messages.ts';

/** The colors of an exported diagram, as `#rrggbb`. */
type DiagramColors = Record<FlowParty | 'text' | 'muted' | 'background' | 'error', string>;

const width = 960;
const headHeight = 48;

/** Messages as an SVG file that needs no style sheet. Secrets are redacted in messages, and so they are here. */
export function toSvg(messages: readonly FlowMessage[], colors: DiagramColors): string {
	const height = headHeight + messages.length * rowHeight + 16;
	const columns = flowParties.flatMap((party) => {
		const x = columnX(party, flowParties, width);
		return [
			`<text x="${x}" y="28" text-anchor="middle" font-size="13" font-weight="600" fill="${colors[party]}">${partyLabels[party]}</text>`,
			`<path d="M${x} ${headHeight}V${height}" stroke="${colors[party]}" stroke-opacity="0.35"/>`
		];
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
		'<title>Messages of an authorization flow</title>',
		`<rect width="${width}" height="${height}" fill="${colors.background}"/>`,
		...columns,
		...messages.map((message, index) => arrow(message, headHeight + index * rowHeight, colors)),
		'</svg>',
		''
	].join('\n');
}

function arrow(message: FlowMessage, top: number, colors: DiagramColors): string {
	const { from, isReply, isRejected, isSeen } = message;
	const { start, end, barb, textX, anchor, text } = arrowShape(message, flowParties, width);
	const stroke = isRejected ? colors.error : colors[from];
	const dash = isSeen ? (isReply ? ' stroke-dasharray="4 3"' : '') : ' stroke-dasharray="1 3"';
	const fill = isRejected ? colors.error : isSeen ? colors.text : colors.muted;
	const line = `<path d="M${start} 31H${end}"${dash}/><path d="M${barb} 27L${end} 31L${barb} 35"/>`;
	return [
		`<g transform="translate(0 ${top})" fill="none" stroke="${stroke}" stroke-width="1.5">`,
		`<text x="${textX}" y="${start === end ? 35 : 20}" text-anchor="${anchor}" fill="${fill}" stroke="${colors.background}" stroke-width="4" paint-order="stroke">${escapeXml(text)}</text>`,
		start === end ? '' : line,
		isRejected && start !== end ? `<path d="M${(start + end) / 2 - 3} 27l6 8"/>` : '',
		`<circle cx="${start}" cy="31" r="3" fill="${isSeen ? stroke : colors.background}"/></g>`
	].join('');
}

/** Without the control characters that XML cannot contain. */
function escapeXml(text: string): string {
	return text.replace(/\p{Cc}/gu, ' ').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The colors of the diagram in the current theme, as `#rrggbb`, which every SVG viewer reads.
 * @param element within the theme
 */
export function readDiagramColors(element: HTMLElement): DiagramColors {
	const probe = element.appendChild(document.createElement('span'));
	const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
	const read = (token: string): string => {
		probe.style.color = `var(--${token})`;
		if (context === null) return '#000000';
		context.fillStyle = getComputedStyle(probe).color;
		context.fillRect(0, 0, 1, 1);
		const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
		return `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
	};
	const colors: DiagramColors = {
		user: read('party-user'),
		browser: read('party-browser'),
		application: read('party-application'),
		authorization: read('party-authorization'),
		resource: read('party-resource'),
		text: read('fg-default'),
		muted: read('fg-muted'),
		background: read('bg-surface'),
		error: read('error-fg')
	};
	probe.remove();
	return colors;
}

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
