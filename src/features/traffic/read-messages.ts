import type { HarOptions, HarReading } from '#evidence/har/har-reading.ts';

/** What the worker is asked: to read a file, or the text that it has already read in another way. */
export type ReadRequest = { readonly file?: Blob; readonly options: HarOptions };

/** What it says. `own`: Tollgate exported the file, so the inspector opens it with its checks. */
export type ReadReply =
	| { readonly kind: 'progress'; readonly done: number }
	| { readonly kind: 'own' }
	| { readonly kind: 'reading'; readonly reading: HarReading };
