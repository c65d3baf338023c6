import * as v from 'valibot';

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));

/** The name of an account. */
export const username = v.pipe(
	v.string(),
	v.regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, 'a user name has 1 to 32 of a-z 0-9 . _ -')
);

export const newAccount = v.strictObject({
	username,
	password: text(256)
});
