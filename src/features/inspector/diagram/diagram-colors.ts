import type { DiagramColors } from './to-svg.ts';

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
