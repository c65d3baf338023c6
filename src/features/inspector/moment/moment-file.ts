import type { TrafficEntry } from '#api/control/traffic.ts';
import { html, type Html } from '#api/html.ts';
import { exactTimeText, timeText } from '#api/time-text.ts';
import { toSvg, type DiagramColors } from '../diagram/to-svg.ts';
import { explainFailure } from '../explanations/explain.ts';
import { flowMessages } from '../flow-messages.ts';
import { formatDuration } from '../format-time.ts';
import { bodyFormat, prettyBody, type BodyFormat } from '../message/http-message.ts';
import { bodyOf, headersOf, targetOf, traceText, withLabels, type MessageText } from '../message/message-text.ts';
import { sentParts } from '../both-ends/sent-parts.ts';
import { describeOutcome } from '../outcome.ts';
import { placeEvents } from '../place-events.ts';
import { pathText } from '../strip/strip-text.ts';
import { titleOf, type Moment } from './moment.ts';
import styles from './moment-file.css?raw';

/** The diagram takes its colors from the style sheet of the file, for both themes. */
const colors: DiagramColors = {
	user: 'var(--user)',
	browser: 'var(--browser)',
	application: 'var(--application)',
	authorization: 'var(--service)',
	resource: 'var(--resource)',
	text: 'var(--text)',
	muted: 'var(--muted)',
	background: 'var(--surface)',
	error: 'var(--error)'
};

const marks = { passed: '✓', responded: '←', failed: '✗' };
const words = { passed: 'Passed', responded: 'Responded', failed: 'Failed' };

/**
 * A moment as one HTML file for a ticket or a chat. It needs nothing from elsewhere, runs no script, and escapes every value.
 * @param brand the name of the service
 * @param link to the moment; undefined if it is too long for one
 */
export function toMomentFile(shared: Moment, brand: string, link: string | undefined): string {
	const title = `${titleOf(shared)} · ${brand}`;
	const placed = placeEvents(shared.entries, shared.events);
	const events = [...placed.values()].flat();
	const diagram = toSvg(flowMessages(shared.entries, events), colors).trim();
	const page = html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width" />
				<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
				<meta name="referrer" content="no-referrer" />
				<title>${title}</title>
				${{ html: `<style>${styles}</style>` }}
			</head>
			<body>
				<header>
					<h1>${titleOf(shared)}</h1>
					<p>Recorded by ${brand}. Codes, tokens and passwords are masked.</p>
					${link === undefined ? undefined : html`<p><a href="${link}">Open in ${brand}</a></p>`}
				</header>
				<main>
					<section>
						<h2>Messages</h2>
						<div class="diagram" role="group" aria-label="Messages" tabindex="0">${{ html: diagram }}</div>
					</section>
					${eventsOf(events.map(({ event }) => event))} ${shared.entries.map((entry) => exchangeOf(entry, shared))}
				</main>
			</body>
		</html> `;
	return page.html;
}

function eventsOf(events: Moment['events']): Html | undefined {
	if (events.length === 0) return undefined;
	return html`<section>
		<h2>What the client did</h2>
		<ul>
			${events.map(
				({ at, message, fields }) =>
					html`<li>
						<time>${timeText(at)}</time> ${message}
						<small>${fields.map(([name, value]) => `${name}: ${value}`).join(' · ')}</small>
					</li>`
			)}
		</ul>
	</section>`;
}

function exchangeOf(entry: TrafficEntry, { applications, entries, resource }: Moment): Html {
	const outcome = describeOutcome(entry, resource);
	const failure = explainFailure(entry, entries);
	const name = new Map(applications).get(entry.client_id ?? '') ?? entry.client_id;
	const facts = [
		name,
		entry.username,
		entry.address,
		exactTimeText(entry.at),
		formatDuration(entry.duration),
		entry.id
	];
	const parts = sentParts(entry);
	return html`<section class="${outcome.kind}">
		<h2>${entry.request.method} ${pathText(entry)}</h2>
		<p class="outcome">${entry.response === null ? 'No response' : String(entry.response.status)} · ${outcome.text}</p>
		<p><small>${facts.filter((fact) => fact !== undefined).join(' · ')}</small></p>
		${failure === undefined ? undefined : failureOf(entry, failure)}
		<div class="ends">
			<div>
				<h3>What the client sent</h3>
				<dl>
					${parts.map(
						(part) =>
							html`<div>
								<dt>${part.name}</dt>
								<dd>${part.value}</dd>
							</div>`
					)}
				</dl>
			</div>
			<div>
				<h3>What the service checked</h3>
				<ol>
					${entry.trace.map((line) => checkOf(entry, line))}
				</ol>
			</div>
		</div>
		<h3>Request</h3>
		<pre>${messageOf(entry, 'request')}</pre>
		<h3>Response</h3>
		<pre>${messageOf(entry, 'response')}</pre>
	</section>`;
}

function checkOf(entry: TrafficEntry, line: TrafficEntry['trace'][number]): Html {
	return html`<li class="${line.outcome}">
		<span aria-hidden="true">${marks[line.outcome]}</span> <span class="hidden">${words[line.outcome]}: </span>${line.name}
		${line.section === '' ? undefined : html`<small>(${line.section})</small>`}
		<small>${written(traceText(entry, line, 'detail'))}</small>
	</li>`;
}

function failureOf(entry: TrafficEntry, failure: NonNullable<ReturnType<typeof explainFailure>>): Html {
	const { line, explanation, history } = failure;
	const [why, advice, code] = explanation ?? [line.detail];
	return html`<div class="why">
		<p><strong>${why}</strong> ${history}</p>
		<dl>
			${(['found', 'expected'] as const).map((part) =>
				line[part] === undefined
					? html``
					: html`<div>
							<dt>${part === 'found' ? 'Found' : 'Expected'}</dt>
							<dd>${written(traceText(entry, line, part))}</dd>
						</div>`
			)}
		</dl>
		${advice === undefined ? undefined : html`<p>Change in the client: ${advice}</p>`}
		${code === undefined ? undefined : html`<pre>${code}</pre>`}
	</div>`;
}

function messageOf(entry: TrafficEntry, part: 'request' | 'response'): string {
	const message = entry[part];
	if (message === null) return 'The service closed the connection.';
	const first =
		part === 'request' ? `${entry.request.method} ${written(targetOf(entry))}` : `HTTP ${entry.response?.status ?? ''}`;
	const headers = headersOf(entry, part).map(([name, value]) => `${name}: ${written(value)}`);
	return [first, ...headers, '', bodyText(bodyOf(entry, part), bodyFormat(message.headers))].join('\n').trim();
}

/** A page would be longer than everything else, and says little. */
function bodyText(body: MessageText, format: BodyFormat): string {
	if (format === 'html') return `(HTML page of ${body.text.length.toLocaleString('en')} characters)`;
	return written(prettyBody(body, format) ?? body);
}

function written(text: MessageText): string {
	return withLabels(text);
}
