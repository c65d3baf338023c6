/** The formats of responses to programs. */
export type ApiFormat = 'json' | 'xml';

type Range = { readonly type: string; readonly quality: number };

/**
 * JSON, unless the `Accept` header of a program prefers XML. Negotiation libraries decide ties by the order in the header; here JSON
 * wins.
 * @param accept the value of the header; malformed values count as absent
 */
export function negotiateFormat(accept: string | undefined): ApiFormat {
	if (accept === undefined || !/xml/i.test(accept)) return 'json';
	const ranges = parse(accept);
	const xml = Math.max(quality(ranges, 'application/xml'), quality(ranges, 'text/xml'));
	return xml > quality(ranges, 'application/json') ? 'xml' : 'json';
}

/** Whether a program asks a page for data: JSON is named, and HTML is not preferred. */
export function prefersJson(accept: string | undefined): boolean {
	if (accept === undefined || !/json/i.test(accept)) return false;
	const ranges = parse(accept);
	return explicitQuality(ranges, 'application/json') > explicitQuality(ranges, 'text/html');
}

/** Whether a browser asks for a page: HTML is named, and neither JSON nor XML is preferred. */
export function prefersHtml(accept: string | undefined): boolean {
	if (accept === undefined || !/html/i.test(accept)) return false;
	const ranges = parse(accept);
	const html = explicitQuality(ranges, 'text/html');
	return html > 0 && ['application/json', 'application/xml', 'text/xml'].every((type) => quality(ranges, type) <= html);
}

/** The quality of a type that is named, not matched by a wildcard; 0 where it is not named. */
function explicitQuality(ranges: readonly Range[], type: string): number {
	return ranges.find((range) => range.type === type)?.quality ?? 0;
}

function parse(accept: string): Range[] {
	return accept.split(',', 50).map((part) => {
		const [type = '', ...parameters] = part.split(';', 10).map((text) => text.trim().toLowerCase());
		const given = parameters.find((parameter) => parameter.startsWith('q='));
		const quality = given === undefined ? 1 : Number(given.slice(2));
		return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
	});
}

function quality(ranges: readonly Range[], type: string): number {
	const family = `${type.slice(0, type.indexOf('/'))}/*`;
	for (const candidate of [type, family, '*/*']) {
		const range = ranges.find((accepted) => accepted.type === candidate);
		if (range !== undefined) return range.quality;
	}
	return 0;
}
