import type { World } from '#service/world/world.ts';

const demoLines = [
	'  Accounts   player-one, player-two, player-three (password: demo)',
	'  Clients    character-viewer / viewer-secret (web application)',
	'             pocket-companion / companion-secret (installed application)'
];

/** The accounts and clients of a world, without secrets. */
function linesOf({ accounts, applications }: World): string[] {
	const usernames = accounts.map(({ username }) => username);
	const shown = usernames.slice(0, 5).join(', ');
	const clients = applications.slice(0, 5).map(({ client_id, kind }) => {
		return `${client_id} (${kind === 'web' ? 'web' : 'installed'} application)`;
	});
	return [
		`  Accounts   ${shown}${usernames.length > 5 ? ', …' : ''}`,
		...clients.map((client, at) => `  ${at === 0 ? 'Clients  ' : '         '}  ${client}`)
	];
}

/**
 * The message of a start: the addresses, the demo accounts and clients, and how to trust the certificate.
 * @param origin `https://host[:port]`
 * @param caFile the certificate authority created on this machine. Undefined if TLS_CERT is set
 * @param hasAdminKey whether controlling the root sandbox takes a key
 * @param world of the server; absent for the demo world
 */
export function startupMessage(
	origin: string,
	caFile: string | undefined,
	hasAdminKey: boolean,
	world?: World
): string {
	const lines = [
		'',
		`  ${(world?.brand.name ?? 'Tollgate').padEnd(10)} ${origin}`,
		'',
		`  Base URL   ${origin}`,
		`  Viewer     ${origin}/viewer`,
		`  Docs       ${origin}/docs/`,
		...(world === undefined ? demoLines : linesOf(world)),
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
