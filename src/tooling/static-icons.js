/** The shapes of an icon, in its module. */
const iconData = /const iconData = (\{.*\});/;

/**
 * A Svelte preprocessor that makes each icon static markup. Lucide's own component creates every shape of an icon from data, which
 * took 30% of the time that pages need to hydrate. Icons are decorative: text beside them says what they mean.
 * @returns {import('svelte/compiler').PreprocessorGroup} throws an Error where the data of an icon is not found
 */
export function staticIcons() {
	return {
		name: 'static-icons',
		markup({ content, filename = '' }) {
			if (!/\/@lucide\/svelte\/dist\/icons\/[^/]+$/.test(filename)) return undefined;
			const [, json] = iconData.exec(content) ?? [];
			if (json === undefined) throw new Error(`No icon was found in ${filename}.`);
			/** @type {{ name: string, node: [string, Record<string, string>][] }} */
			const { name, node } = JSON.parse(json);
			const shapes = node.map(([tag, attributes]) => `<${tag}${Object.entries(attributes).map(attribute).join('')} />`);
			const start = `<svg class="lucide-icon lucide-${name}" viewBox="0 0 24 24" aria-hidden="true">`;
			return { code: `${start}${shapes.join('')}</svg>` };
		}
	};
}

/** @param {[string, string]} pair */
function attribute([name, value]) {
	return ` ${name}="${value}"`;
}
