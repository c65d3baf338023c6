/**
 * What a start prints: where to look, who to sign in as, and how to trust the certificate.
 * @param origin `https://host[:port]`
 * @param caFile of our own authority; undefined where the certificate came from outside
 * @param hasKey whether controlling the root sandbox takes a key
 */
export function startupMessage(origin: string, caFile: string | undefined, hasKey: boolean): string {
	const lines = [
		'',
		`  Tollgate   ${origin}`,
		'',
		`  Base URL   ${origin}`,
		`  Viewer     ${origin}/viewer`,
		'  Accounts   player-one, player-two, player-three (password: demo)',
		'  Clients    character-viewer / viewer-secret (web application)',
		'             pocket-companion / companion-secret (installed application)',
		`  Control    ${origin}/control/ ${hasKey ? '(X-Tollgate-Key: your ADMIN_KEY)' : '(open to this machine)'}`
	];
	if (caFile !== undefined) {
		lines.push(
			'',
			'  The certificate was made on this machine. To trust it:',
			`    curl      curl --cacert ${caFile} ${origin}/control/health`,
			`    Node      NODE_EXTRA_CA_CERTS=${caFile} node client.js`,
			`    browser   import ${caFile} as an authority, or accept the warning once`
		);
	}
	lines.push('', '  Ctrl+C ends it.', '');
	return lines.join('\n');
}
