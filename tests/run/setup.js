// Files of a worker share their globals: what the last test of a file replaced must not reach the next file.
import fc from 'fast-check';
import { afterEach, vi } from 'vitest';

// `npm test` gives the same result each time; the nightly run draws other values. Another run: TOLLGATE_SEED=7 npm test -- unit
fc.configureGlobal({ seed: Number(process.env.TOLLGATE_SEED ?? 20_000) });

afterEach(() => void vi.unstubAllGlobals());
