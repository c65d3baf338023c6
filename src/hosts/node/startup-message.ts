/**
 * The message of a start: the addresses, the demo accounts and clients, and how to trust the certificate.
 * @param origin `https://host[:port]`
 * @param caFile the certificate authority made on this machine; undefined where TLS_CERT is set
 * @param hasAdminKey whether controlling the root sandbox takes a key
 */
export function startupMessage(origin: string, caFile: string | undefined, hasAdminKey: boolean): string {
	const lines = [
		'',
		`  Tollgate   ${origin}`,
		'',
		`  Base URL   ${origin}`,
		`  Viewer     ${origin}/viewer`,
		`  Docs       ${origin}/docs/`,
		'  Accounts   player-one, player-two, player-three (password: demo)',
		'  Clients    character-viewer / viewer-secret (web application)',
		'             pocket-companion / companion-secret (installed application)',
		hasAdminKey
			? `  Control    ${origin}/docs/control-api/ (send X-Tollgate-Key: your ADMIN_KEY)`
			: `  Control    ${origin}/control/sandbox (this machine only)`
	];
	if (caFile !== undefined) {
		lines.push(
			'',
			'  Self-signed certificate. To trust it:',
			`    curl      curl --cacert ${caFile} ${origin}/control/health`,
			`    Node      NODE_EXTRA_CA_CERTS=${caFile} node client.js`,
			`    Browser   import ${caFile} as an authority, or accept the warning once`
		);
	}
	lines.push('', '  Press Ctrl+C to stop.', '');
	return lines.join('\n');
}
