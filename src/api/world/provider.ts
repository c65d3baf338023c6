import * as v from 'valibot';
import { dialectPart } from '../providers/dialect-schema.ts';
import { source, surprise } from '../providers/provider-file.ts';
import { isShallow, listOf, plainText } from './world-fields.ts';

/** How the owner's own API speaks, in the form of the files of `src/content/providers`. It differs from today's standards in what it says. */
export const ownProviderFile = v.pipe(
	v.custom<object>(
		(file) => isShallow(file, 16, 200),
		'Templates can be nested ten levels deep, with at most 200 entries each.'
	),
	v.strictObject({
		/** The name of the API. It begins the lines of the trace. */
		title: plainText(40),
		/** What a client should ask for in an example. */
		exampleScope: v.exactOptional(plainText(200)),
		/** Where the API is documented. */
		sources: v.exactOptional(v.array(source)),
		dialect: dialectPart,
		/** What a client that knows the standards only does not expect. */
		surprises: v.exactOptional(listOf(surprise, 40, 'surprises')),
		notSimulated: v.exactOptional(v.pipe(v.array(plainText(200)), v.maxLength(40)))
	})
);

export type OwnProviderFile = v.InferOutput<typeof ownProviderFile>;
