/**
 * The instruction of a step, with the names that the buttons and addresses have here: `{brand}` is the service, `{scheme}` that of its
 * URLs, and `{other_scheme}` the one that is not registered.
 */
export function instruction(text: string, brand: string, baseUrl: string): string {
	const [scheme, other] = baseUrl.startsWith('https:') ? ['https', 'http'] : ['http', 'https'];
	return text.replaceAll('{brand}', brand).replaceAll('{scheme}', scheme).replaceAll('{other_scheme}', other);
}
