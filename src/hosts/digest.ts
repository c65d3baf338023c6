import { sha256 } from '@noble/hashes/sha2.js';
import { base64url, encodeUtf8 } from '#service/core/encoding.ts';

/** SHA-256 in JavaScript, synchronous. */
export const digest = (text: string): string => base64url(sha256(encodeUtf8(text)));
