import type { Brand } from '#api/world/brand.ts';
import { html, type Html } from './html.ts';

/** The logo of the demo world: a closed toll barrier. */
const tollBarrier = html`<svg class="logo" viewBox="0 0 34 26" aria-hidden="true">
	<g fill="none" stroke="var(--fg-subtle)" stroke-width="1.25">
		<path d="M1 24.5H33M30.5 24V16.5m-1.5-1.5v1.5h3v-1.5" />
		<circle cx="6.5" cy="3.6" r="2.3" />
	</g>
	<path fill="currentColor" d="M6.5 9.5H31v5H6.5zM4 7.5h5v17H4z" />
	<path fill="var(--bg-page)" d="M12.5 9.5h3.2l-3 5h-3.2zM20.5 9.5h3.2l-3 5h-3.2zM28 9.5h3v.3l-2.8 4.7h-3.2z" />
</svg>`;

/** The logo of a brand. An SVG of a world file is an image, so that no script in it runs. */
export function logoOf({ logo }: Brand): Html {
	if (logo === undefined) return tollBarrier;
	if (logo.dark === undefined) return html`<img class="logo" src="${logo.light}" alt="" />`;
	// The style sheet shows the one of the theme.
	return html`<img class="logo for-light" src="${logo.light}" alt="" /><img class="logo for-dark" src="${logo.dark}" alt="" />`;
}
