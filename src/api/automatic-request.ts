/** The header of requests that a page of ours sends without its user: checks at intervals, and what it reads when it opens. */
export const automaticHeader = 'X-Tollgate-Automatic';

/** The headers of such a request. */
export const automaticRequest = { [automaticHeader]: '1' } as const;
