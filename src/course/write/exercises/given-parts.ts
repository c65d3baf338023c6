import checkResponse from './given/check-response.ts.txt?raw';
import exchange from './given/exchange.ts.txt?raw';
import getCharacter from './given/get-character.ts.txt?raw';
import request from './given/request.ts.txt?raw';
import send from './given/send.ts.txt?raw';
import signIn from './given/sign-in.ts.txt?raw';

/** Functions that earlier exercises have built. They follow the part to write. */
const parts = { checkResponse, exchange, getCharacter, request, send, signIn };

/** A program: the part to write, and what is given. */
export function withGiven(own: string, ...given: readonly (keyof typeof parts)[]): string {
	return [own, ...given.map((name) => parts[name])].join('\n');
}
