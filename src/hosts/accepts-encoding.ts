/**
 * Whether a client accepts a response in a content coding (RFC 9110, section 12.5.3).
 * @param header the value of `Accept-Encoding`
 * @param coding in lower case, for example `gzip`
 */
export function acceptsEncoding(header: string, coding: string): boolean {
	return header.split(',').some((part) => {
		const [name, ...parameters] = part
			.trim()
			.toLowerCase()
			.split(/\s*;\s*/);
		return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
	});
}
