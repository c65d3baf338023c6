/** Why a check failed, what to change in the client, and one line of code for it. */
export type Explanation = readonly [why: string, advice: string, code?: string];

/** Explanations by check (`token.code_known`) and by cause (`token.code_not_used already_used`). */
export type Explanations = Readonly<Record<string, Explanation>>;

/** Methods of the form `token.method_is_post`. */
export function wrongMethod(expected: string, advice: string): Explanation {
	return [`This path takes ${expected} only.`, advice, `method: '${expected}'`];
}
