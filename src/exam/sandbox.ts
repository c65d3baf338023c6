import type { ControlApi } from '#client/control-api/control-api.ts';

/** The sandbox of an exam, with the one application of the client under test. */
export type ExamSandbox = {
	/** The control API of the sandbox. */
	readonly api: ControlApi;
	/** For `X-Tollgate-Key`. */
	readonly key: string;
	readonly client_id: string;
	/** Empty where the exam did not create the sandbox. */
	readonly client_secret: string;
	readonly kind: 'web' | 'installed';
	readonly redirect_uri: string;
	/** Opens the event stream of the traffic log. */
	readonly openStream: (url: string, init: RequestInit) => Promise<Response>;
};
