import * as v from 'valibot';

/** `GET blacklist`. */
export const blacklist = v.object({
	blacklist: v.array(
		v.object({
			address: v.string(),
			/** Unix seconds, sandbox clock. */
			since: v.number(),
			reason: v.string()
		})
	)
});

/** `DELETE blacklist/<address>`. */
export const unblocked = v.object({ unblocked: v.string() });

export type Blacklist = v.InferOutput<typeof blacklist>;
