import * as v from 'valibot';
import * as clock from '#wire/control/clock.ts';
import * as faults from '#wire/control/faults.ts';
import * as sandboxes from '#wire/control/sandboxes.ts';
import * as settings from '#wire/control/settings.ts';
import * as world from '#wire/control/world.ts';
import * as testCards from '#wire/control/test-cards.ts';
import * as snapshot from '../control/snapshot-schema.ts';
import type { Operations } from './operation.ts';

const deleted = v.object({ deleted: v.string() });
/** The file. `content` is what `checksum` covers. */
const snapshotFile = v.object({
	format: v.literal(snapshot.format),
	version: v.literal(snapshot.version),
	checksum: v.string(),
	content: snapshot.snapshotContent
});
const atRootOnly = 'This call works at the root sandbox only.';

/** The sandbox as a whole: its state, clock, settings and faults. */
export const sandboxOperations: Operations = {
	'GET /control/health': {
		tag: 'Sandbox',
		summary: 'Check the health',
		responses: { 200: { description: 'The service runs.', json: v.object({ status: v.literal('ok') }) } }
	},
	'GET /control/status': {
		tag: 'Sandbox',
		summary: 'Read the status',
		description: 'For every visitor: which sandbox this is, and whether the caller controls it.',
		responses: { 200: { description: 'The status.', json: sandboxes.sandboxStatus } },
		errors: { 403: 'The request was sent by a page of another site.', 429: 'Too many wrong keys.' }
	},
	'GET /control/world': {
		tag: 'Sandbox',
		summary: 'Read the world',
		description:
			'For every visitor: names, permissions and demo clients of this sandbox, by the world file of the server. It contains no secret that the file does not publish.',
		responses: { 200: { description: 'The world.', json: world.publicWorld } }
	},
	'POST /control/sandboxes': {
		tag: 'Sandbox',
		summary: 'Create a sandbox',
		description:
			'At the root only. The key is shown once. The browser that sends the request also gets it as a cookie.',
		body: { schema: sandboxes.newSandbox, optional: true, example: { name: 'My sandbox' } },
		responses: {
			201: { description: 'The sandbox.', json: sandboxes.createdSandbox, headers: ['Set-Cookie'] }
		},
		errors: {
			403: 'The request was sent by a page of another site.',
			404: atRootOnly,
			409: 'The server has no room for another sandbox.',
			429: 'The address created too many sandboxes.'
		}
	},
	'GET /control/sandboxes': {
		tag: 'Sandbox',
		summary: 'List all sandboxes',
		responses: { 200: { description: 'All sandboxes.', json: sandboxes.sandboxes } },
		errors: { 404: atRootOnly }
	},
	'PATCH /control/sandboxes/{id}': {
		tag: 'Sandbox',
		summary: 'Set the size of a traffic log',
		description: 'At the root only. The `id` of the root sandbox is `root`. Older entries are deleted at once.',
		body: { schema: sandboxes.sandboxLimits, example: { traffic_entries: 2000 } },
		responses: { 200: { description: 'The sandbox.', json: sandboxes.sandbox } },
		errors: { 404: 'There is no sandbox with this id, or this is not the root sandbox.' }
	},
	'DELETE /control/sandboxes/{id}': {
		tag: 'Sandbox',
		summary: 'Delete any sandbox',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: { 404: 'There is no sandbox with this id, or this is not the root sandbox.' }
	},
	'GET /control/sandbox': {
		tag: 'Sandbox',
		summary: 'Read this sandbox',
		responses: { 200: { description: 'The sandbox.', json: sandboxes.sandbox } }
	},
	'PATCH /control/sandbox': {
		tag: 'Sandbox',
		summary: 'Rename this sandbox',
		body: { schema: sandboxes.sandboxChange },
		responses: { 200: { description: 'The sandbox.', json: sandboxes.sandbox } }
	},
	'DELETE /control/sandbox': {
		tag: 'Sandbox',
		summary: 'Delete this sandbox',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: { 403: 'No access, or this is the root sandbox, which can only be reset.' }
	},
	'POST /control/reset': {
		tag: 'Sandbox',
		summary: 'Reset this sandbox',
		description: 'Restores the demo data, the default settings and the real time. The key stays.',
		destroys: true,
		responses: { 200: { description: 'The sandbox.', json: sandboxes.sandbox } }
	},
	'POST /control/owner': {
		tag: 'Sandbox',
		summary: 'Control this sandbox from a browser',
		description: 'Sets the owner cookie for the key that is sent.',
		responses: { 200: { description: 'The sandbox.', json: sandboxes.sandbox } }
	},
	'POST /control/owner-links': {
		tag: 'Sandbox',
		summary: 'Create an owner link',
		description: 'Another browser that opens the link controls the sandbox.',
		responses: { 200: { description: 'The link. The key is in its fragment.', json: sandboxes.ownerLink } }
	},
	'DELETE /control/owner-links': {
		tag: 'Sandbox',
		summary: 'Revoke all owner links',
		description:
			'Other browsers that opened an owner link, or used `ADMIN_KEY`, lose control. The key that the sandbox was created with and that of this request keep working.',
		destroys: true,
		responses: { 200: { description: 'The links are revoked.', json: sandboxes.revokedOwnerLinks } }
	},
	'GET /control/preset': {
		tag: 'Sandbox',
		summary: 'Read this sandbox as a preset',
		description: 'What a preset link prepares in a new sandbox. Contains no secret.',
		responses: { 200: { description: 'The preset.', json: sandboxes.preset } },
		errors: { 409: 'The sandbox has more than a preset can contain.' }
	},
	'GET /control/snapshot': {
		tag: 'Sandbox',
		summary: 'Download a snapshot',
		responses: {
			200: { description: 'The snapshot.', json: snapshotFile, headers: ['Content-Disposition'] }
		},
		errors: { 409: 'The sandbox is too large for a snapshot.' }
	},
	'PUT /control/snapshot': {
		tag: 'Sandbox',
		summary: 'Restore a snapshot',
		description: 'Replaces all data of the sandbox. A damaged file changes nothing.',
		destroys: true,
		body: { schema: snapshotFile },
		responses: { 200: { description: 'What was restored.', json: sandboxes.restoredSnapshot } }
	},
	'GET /control/clock': {
		tag: 'Clock',
		summary: 'Read the clock',
		responses: { 200: { description: 'The clock.', json: clock.clock } }
	},
	'POST /control/clock': {
		tag: 'Clock',
		summary: 'Move the clock',
		description: 'Forward only.',
		body: { schema: clock.clockChange, example: { advance: 600 } },
		responses: { 200: { description: 'The clock.', json: clock.clock } }
	},
	'DELETE /control/clock': {
		tag: 'Clock',
		summary: 'Return to the real time',
		description: 'What has expired stays expired.',
		responses: { 200: { description: 'The clock.', json: clock.clock } }
	},
	'GET /control/events': {
		tag: 'Clock',
		summary: 'List upcoming events',
		description: 'Codes and tokens that expire, and windows that reset.',
		responses: { 200: { description: 'The events, soonest first.', json: clock.upcomingEvents } }
	},
	'GET /control/settings': {
		tag: 'Settings and faults',
		summary: 'Read the settings',
		responses: { 200: { description: 'All settings.', json: settings.settings } }
	},
	'PATCH /control/settings': {
		tag: 'Settings and faults',
		summary: 'Change settings',
		description: 'Changes what the body names.',
		body: { schema: settings.settingsChange, example: { limits: { character: 20 }, lifetimes: { access_token: 120 } } },
		responses: { 200: { description: 'All settings.', json: settings.settings } }
	},
	'GET /control/test-cards': {
		tag: 'Settings and faults',
		summary: 'List test cards',
		description: 'Characters and accounts that choose the outcome of a request.',
		responses: { 200: { description: 'The test cards.', json: testCards.testCards } }
	},
	'GET /control/faults': {
		tag: 'Settings and faults',
		summary: 'List active faults',
		responses: { 200: { description: 'The faults.', json: faults.faults } }
	},
	'POST /control/faults': {
		tag: 'Settings and faults',
		summary: 'Add a fault',
		body: { schema: faults.newFault, example: { kind: 'status', endpoint: 'character', status: 503 } },
		responses: { 201: { description: 'The fault.', json: faults.fault } },
		errors: { 409: 'The sandbox has 20 faults.' }
	},
	'DELETE /control/faults': {
		tag: 'Settings and faults',
		id: 'clearFaults',
		summary: 'Delete all faults',
		responses: { 200: { description: 'No faults are left.', json: faults.faults } }
	},
	'DELETE /control/faults/{id}': {
		tag: 'Settings and faults',
		id: 'deleteFault',
		summary: 'Delete a fault',
		responses: { 200: { description: 'The faults that are left.', json: faults.faults } }
	}
};
