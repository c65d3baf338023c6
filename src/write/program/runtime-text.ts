import clock from './runtime-clock.js?raw';
import runtime from './runtime.js?raw';
import words from './runtime-words.js?raw';

const expression = (text: string) => text.trim().replace(/;$/, '');

/** What a program runs in, as an expression: a function that gets the port of the bridge. */
export const runtimeText = `(${expression(runtime)})(${expression(clock)},\n${expression(words)})`;
