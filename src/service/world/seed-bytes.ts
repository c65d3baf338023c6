import { bytesOf } from '#store/byte-budget.ts';

type SeededRecords = {
	readonly characters: readonly { readonly name: string }[];
	readonly permissions: readonly { readonly scope: string }[];
};

/** Roughly the memory of the characters and permissions of one sandbox, in bytes. */
export function seedBytes({ characters, permissions }: SeededRecords): number {
	let bytes = 0;
	for (const character of characters) bytes += bytesOf(character.name, character);
	for (const permission of permissions) bytes += bytesOf(permission.scope, permission);
	return bytes;
}
