import start from '../exercises/take-the-exam/start.ts.txt?raw';
import own from '../exercises/take-the-exam/solution.ts.txt?raw';
import { withGiven } from '../exercises/given-parts.ts';

/** What the editor of the exam begins with: a client that signs in and reads, as exercises 1 to 4 build it. */
export const firstClient = withGiven(start, 'getCharacter', 'signIn', 'request', 'checkResponse', 'exchange');

/** A client that passes. */
export const goodClient = withGiven(own, 'signIn', 'request', 'checkResponse', 'exchange');
