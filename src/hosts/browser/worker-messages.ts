/** What the worker asks a page before it hands it a request: is the service of this version up there? Answered by `true`. */
export type ReadyQuestion = { readonly tollgate: 'ready?'; readonly version: string };

/** What a page tells a worker that waits: take over now. */
export type TakeOver = { readonly tollgate: 'take over' };

export function isReadyQuestion(data: unknown): data is ReadyQuestion {
	return isMessage(data) && data.tollgate === 'ready?' && 'version' in data;
}

export function isTakeOver(data: unknown): data is TakeOver {
	return isMessage(data) && data.tollgate === 'take over';
}

function isMessage(data: unknown): data is { readonly tollgate: unknown } {
	return typeof data === 'object' && data !== null && 'tollgate' in data;
}
