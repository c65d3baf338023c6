/** The id of a code or token in the control API: its SHA-256 digest as base64url. */
export async function credentialId(credential: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(credential));
	const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
	return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
