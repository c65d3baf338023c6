import * as v from 'valibot';
import { declare } from '../declare.ts';
import { dialectNames } from '../dialect.ts';
import { seatStatus } from './seats.ts';
import { clock } from './clock.ts';

/** `GET status`, for every visitor: which sandbox this is, and whether the caller controls it. */
export const sandboxStatus = v.object({
	id: v.string(),
	name: v.optional(v.string()),
	base_url: v.string(),
	can_control: v.boolean(),
	clock,
	/** How many faults are active. */
	faults: v.number(),
	/** The dialect that the sandbox speaks, or that its provider extends. */
	dialect: v.picklist(dialectNames),
	/** The simulated provider that it speaks like. */
	provider: v.optional(v.string()),
	/** Its title, short. */
	provider_title: v.optional(v.string()),
	is_strict: v.boolean(),
	/** Changes when the sandbox gets another world. Absent: it has that of the server. */
	world: v.optional(v.string()),
	/** Whether those who control it can only read it, as the sandbox of a locked share link. */
	is_locked: v.boolean(),
	/** Whether messages of this sandbox are held. */
	is_paused: v.boolean(),
	/** Whether the front page gives each visitor a sandbox. */
	sandbox_per_visitor: v.boolean(),
	/** The value of `CLASS_SEATS`: how many seats all classes of the server have. */
	class_seats: v.number(),
	/** Whether the sandbox is the seat of a class. */
	is_seat: v.boolean(),
	/** The class and the seat, for those who control the sandbox of a seat. */
	class: v.optional(seatStatus),
	/** Whether `GET /control/ca.pem` returns the certificate authority that clients have to trust. */
	has_ca: v.boolean(),
	/** The path of this authority on the server. Only visitors on the same machine get it, and no seat of a class. */
	ca_file: v.optional(v.string())
});

/** What every visitor may ask. */
export const statusApi = declare({
	'GET /control/health': {
		id: 'health',
		tag: 'Sandbox',
		access: 'everybody',
		summary: 'Check the health',
		description: 'Returns `{"status":"ok"}`.',
		responses: { 200: { description: 'The service runs.', json: v.object({ status: v.literal('ok') }) } }
	},
	'GET /control/ca.pem': {
		id: 'readCa',
		tag: 'Sandbox',
		access: 'everybody',
		summary: 'Download the certificate authority',
		description:
			'Returns the certificate, in PEM, of the authority that the server created on its machine. Clients that trust it accept the certificate of the server.',
		responses: { 200: { description: 'The certificate.', headers: ['Content-Disposition'] } },
		errors: { 404: 'The server did not create an authority.' }
	},
	'GET /control/status': {
		id: 'readStatus',
		tag: 'Sandbox',
		access: 'everybody',
		summary: 'Read the status',
		description:
			'Returns `id`, `name`, `base_url` and `clock` of this sandbox, whether the caller controls it, the number of active `faults`, and whether messages are held. Callers who control the seat of a class get the `class`.',
		responses: { 200: { description: 'The status.', json: sandboxStatus } },
		errors: { 403: 'The request was sent by a page of another site.', 429: 'Too many wrong keys.' }
	}
});

export type SandboxStatus = v.InferOutput<typeof sandboxStatus>;
