import { codeAlphabet } from '#api/control/classes.ts';

const adjectives = [
	...['Amber', 'Brave', 'Bright', 'Calm', 'Careful', 'Cheerful', 'Clever', 'Coral', 'Cosy', 'Curious'],
	...['Daring', 'Eager', 'Early', 'Fair', 'Fleet', 'Friendly', 'Gentle', 'Golden', 'Grand', 'Green'],
	...['Happy', 'Honest', 'Jolly', 'Keen', 'Kind', 'Lively', 'Lucky', 'Mellow', 'Merry', 'Nimble'],
	...['Patient', 'Polite', 'Proud', 'Quick', 'Quiet', 'Silver', 'Steady', 'Sunny', 'Swift', 'Wise']
];
const animals = [
	...['Badger', 'Beaver', 'Bison', 'Crane', 'Deer', 'Dolphin', 'Dove', 'Eagle', 'Falcon', 'Finch'],
	...['Fox', 'Gecko', 'Hare', 'Hawk', 'Hedgehog', 'Heron', 'Ibis', 'Jay', 'Koala', 'Lark'],
	...['Lemur', 'Lynx', 'Marten', 'Mole', 'Moose', 'Newt', 'Otter', 'Owl', 'Panda', 'Puffin'],
	...['Raven', 'Robin', 'Salmon', 'Seal', 'Sparrow', 'Swan', 'Tapir', 'Toucan', 'Turtle', 'Wren']
];

export const labelCount = adjectives.length * animals.length;
/** Has no divisor in common with the number of labels, so that all of them occur. Neighbors differ in both words. */
const step = 1009;

/**
 * The label of a seat, unique in its class: "Quiet Heron".
 * @param first where the labels of the class begin
 * @param seat its number, from 1
 * @param renamed how often the student asked for another label
 * @param seats the most that a class has
 */
export function labelOf(first: number, seat: number, renamed: number, seats: number): string {
	const turn = renamed % Math.floor(labelCount / seats);
	const index = (first + (seat - 1 + turn * seats) * step) % labelCount;
	const animal = animals[Math.floor(index / adjectives.length)] ?? '';
	return `${adjectives[index % adjectives.length] ?? ''} ${animal}`;
}

/** A class code: six random characters. Every one is as probable as the others. */
export function createCode(random: (count: number) => Uint8Array): string {
	const { length } = codeAlphabet;
	let code = '';
	while (code.length < 6)
		for (const byte of random(16))
			if (byte < 256 - (256 % length) && code.length < 6) code += codeAlphabet[byte % length] ?? '';
	return code;
}
