import { sha256 } from '@noble/hashes/sha2.js';
import { base64url, encodeUtf8 } from '#service/core/encoding.ts';
import { toPublicWorld, type World } from '#service/world/world.ts';
import { readWorld } from '#service/world/read-world.ts';
import { WorldError, type WorldMistake } from '#service/world/world-mistakes.ts';
import type { PublicWorld } from '#api/control/world.ts';

/** A world, or the mistakes in its file. */
export type ParsedWorld =
	| { readonly world: World; readonly shown: PublicWorld; readonly mistake?: undefined }
	| { readonly world?: undefined; readonly mistake: string; readonly mistakes: readonly WorldMistake[] };

/** Parses the world file of the static build. It cannot refer to other files. */
export function parseWorld(text: string): ParsedWorld {
	try {
		const world = readWorld(text, { digest: (secret) => base64url(sha256(encodeUtf8(secret))) });
		return { world, shown: toPublicWorld(world) };
	} catch (thrown) {
		if (thrown instanceof WorldError) return { mistake: thrown.message, mistakes: thrown.mistakes };
		throw thrown;
	}
}
