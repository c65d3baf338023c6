// Files of a worker share their globals: what the last test of a file replaced must not reach the next file.
import { afterEach, vi } from 'vitest';

afterEach(() => void vi.unstubAllGlobals());
